#!/usr/bin/env bash
# query: ranks rows without a label, draws learning curves, and refuses what makes no sense.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate moons --rows 60 --seed 1 --noise 0.3 -o few.csv --quiet
"$COPPICE" generate moons --rows 400 --seed 2 --noise 0.3 -o more.csv --quiet
"$COPPICE" train few.csv --trees 20 -o few.coppice --quiet
# Every second label is gone.
awk -F, 'BEGIN {OFS = ","} NR > 1 && NR % 2 == 0 {$NF = ""} {print}' more.csv >pool.csv

"$COPPICE" query few.coppice pool.csv --batch 7 -o ask.csv >said.txt
[[ $(wc -l <ask.csv) -eq 8 ]] || fail "$(wc -l <ask.csv) lines instead of 8"
[[ $(head -1 ask.csv) == row,score,uncertainty ]] || fail "header $(head -1 ask.csv)"
grep -q '7 rows of 200' said.txt || fail "said: $(cat said.txt)"
awk -F, 'NR > 1 && $1 % 2 == 0 {exit 1}' ask.csv || fail "a row with a label was asked about"
"$COPPICE" query few.coppice pool.csv --strategy disagreement --diversity 0 --json |
  grep -q '"unlabelled": *200' || fail "query --json"

"$COPPICE" query few.coppice more.csv --simulate --start 10 --batch 10 --batches 4 --runs 2 \
  -o curves.csv --plot curves.svg >said.txt
grep -q 'random labels' said.txt || fail "simulation says: $(cat said.txt)"
[[ $(wc -l <curves.csv) -eq 6 ]] || fail "curves of $(wc -l <curves.csv) lines"
grep -q '<svg' curves.svg || fail "no picture"

refused 'every row has a label' query few.coppice more.csv
refused 'did you mean entropy' query few.coppice pool.csv --strategy entrpy
refused 'diversity' query few.coppice pool.csv --diversity 2
refused 'row 1 has no label' query few.coppice pool.csv --simulate
refused 'fewer or smaller batches' query few.coppice more.csv --simulate --batch 100
refused 'are for --simulate' query few.coppice pool.csv --plot x.svg
