#!/usr/bin/env bash
# Few labels: train --task semi-supervised, label, and what refuses rows without a label.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate arms --classes 4 --noise 0.02 --labels 8 -o few.csv --quiet
"$COPPICE" generate arms --classes 4 --noise 0.02 -o truth.csv --quiet
[[ $(awk -F, 'NR > 1 && $3 != ""' few.csv | wc -l) -eq 8 ]] || fail "generate --labels"

"$COPPICE" train few.csv --task semi-supervised -o few.coppice >said.txt
grep -q 'known of 8 rows' said.txt || fail "train says: $(cat said.txt)"
"$COPPICE" evaluate few.coppice truth.csv --json | "$PYTHON" -c \
  'import json, sys; sys.exit(json.load(sys.stdin)["error"] > 0.02)' || fail "more than 2 % wrong"
# Shallow trees cannot follow the arms.
"$COPPICE" train few.csv --task semi-supervised --max-depth 4 -o shallow.coppice --quiet
"$COPPICE" evaluate shallow.coppice truth.csv --json | "$PYTHON" -c \
  'import json, sys; sys.exit(json.load(sys.stdin)["error"] < 0.02)' || fail "depth 5 is as good"

"$COPPICE" label few.coppice few.csv -o completed.csv >said.txt
grep -q '8 given labels of 1,000 rows, 992 filled in' said.txt || fail "label: $(cat said.txt)"
[[ $(head -1 completed.csv) == label,confidence,given ]] || fail "header $(head -1 completed.csv)"
paste -d, completed.csv truth.csv | awk -F, 'NR > 1 && $1 != $6 {wrong++} END {exit wrong > 20}' ||
  fail "label and truth differ"
"$COPPICE" label few.coppice few.csv --least-confidence 0.99 --json >said.txt
grep -q '"filled"' said.txt || fail "label --json"
"$COPPICE" describe few.coppice >said.txt
grep -q -- '--task semi-supervised' said.txt || fail "describe"

"$COPPICE" generate s-curve --rows 400 --labels 60 -o curve.csv --quiet
"$COPPICE" train curve.csv --task semi-supervised --trees 20 -o curve.coppice --quiet
"$COPPICE" label curve.coppice curve.csv >numbers.csv
[[ $(head -1 numbers.csv) == *,deviation,given ]] || fail "numbers"

refused '--task semi-supervised' train few.csv -o x
refused '--task semi-supervised' train curve.csv -o x
refused '--alpha' train truth.csv --alpha 2 -o x
refused 'one criterion only' train few.csv --task semi-supervised --criterion gini -o x
refused 'lda' train few.csv --task semi-supervised --split lda -o x
refused 'leave method out' train few.csv --task semi-supervised --method boosted -o x
