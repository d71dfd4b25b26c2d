#!/usr/bin/env bash
# Densities from the command line: train, predict, evaluate, sample, condition, plot, and sentences
# for what makes no sense.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate sideways-s --rows 600 --noise 0.03 --seed 1 -o s.csv --quiet
"$COPPICE" generate sideways-s --rows 600 --noise 0.03 --seed 2 -o more.csv --quiet
"$COPPICE" generate blobs --rows 200 --classes 3 -o blobs.csv --quiet

"$COPPICE" train s.csv --task density -o s.coppice >report.txt
grep -q 'density of the features' report.txt || fail "train does not say what it learns"
grep -q 'OOB log-likelihood' report.txt || fail "no log-likelihood"
"$COPPICE" train s.csv --task density -o again.coppice --threads 1 --quiet
cmp s.coppice again.coppice || fail "two trainings differ"
"$COPPICE" convert s.coppice s.json --quiet
"$COPPICE" convert s.json back.coppice --quiet
cmp s.coppice back.coppice || fail "JSON loses something"
"$COPPICE" describe s.coppice >report.txt
grep -q 'density of the features' report.txt || fail "describe"
"$COPPICE" describe s.coppice --tree 1 >report.txt
grep -q 'leaf 0' report.txt || fail "describe --tree"

"$COPPICE" predict s.coppice more.csv --log-density -o answers.csv --quiet
[[ $(head -1 answers.csv) == log_density && $(wc -l <answers.csv) -eq 601 ]] || fail "predict"
"$COPPICE" predict s.coppice more.csv --anomaly -o anomalies.csv --quiet
[[ $(head -1 anomalies.csv) == log_density,anomaly,percentile ]] || fail "predict --anomaly"
mean=$(awk 'NR > 1 {sum += $1} END {print sum / (NR - 1)}' answers.csv)
said=$("$COPPICE" evaluate s.coppice more.csv | awk '$1 == "log-likelihood" {print $2}')
awk -v a="$mean" -v b="$said" 'BEGIN {exit !((a - b) ^ 2 < 1e-6)}' || fail "evaluate: $said, $mean"
# A row far away is the most unusual one.
printf 'x1,y\n50,50\n' >far.csv
"$COPPICE" predict s.coppice far.csv --anomaly >said.txt
[[ $(tail -1 said.txt) == *,100 ]] || fail "far away"
# A missing value is integrated out: the marginal that condition gives.
printf 'x1,y\n0.5,\n' >gap.csv
marginal=$("$COPPICE" predict s.coppice gap.csv | tail -1)
known=$("$COPPICE" condition s.coppice --known x1=0.5 | awk '/log density/ {print $NF}')
awk -v a="$marginal" -v b="$known" 'BEGIN {exit !((a - b) ^ 2 < 1e-6)}' || fail "$marginal, $known"

# Rows with missing values are learnt from; the curve stays where it was.
awk -F, -v OFS=, 'NR % 5 == 0 {$2 = ""} {print}' s.csv >gaps.csv
"$COPPICE" train gaps.csv --task density --trees 10 -o gaps.coppice --quiet
says 'completed_rows' describe gaps.coppice || fail "completed rows"
whole=$("$COPPICE" evaluate s.coppice more.csv | awk '$1 == "log-likelihood" {print $2}')
gaps=$("$COPPICE" evaluate gaps.coppice more.csv | awk '$1 == "log-likelihood" {print $2}')
awk -v a="$gaps" -v b="$whole" 'BEGIN {exit !(a > b - 0.2)}' || fail "with gaps: $gaps, $whole"

"$COPPICE" sample s.coppice --rows 50 --seed 3 -o drawn.csv --quiet
[[ $(wc -l <drawn.csv) -eq 51 && $(head -1 drawn.csv) == x1,y ]] || fail "sample"
"$COPPICE" sample s.coppice --rows 50 --seed 3 --threads 1 | cmp - drawn.csv || fail "sample differs"
"$COPPICE" evaluate s.coppice drawn.csv --quiet >/dev/null || fail "what was drawn has a density"
"$COPPICE" condition s.coppice --known x1=0.5 --sample 5 | awk -F, 'NR > 1 && $1 != 0.5 {exit 1}' ||
  fail "what is known has changed"
"$COPPICE" condition s.coppice --known x1=0.5 --curve y --points 401 -o curve.csv --quiet
awk -F, 'NR > 2 {sum += ($2 + last) / 2 * ($1 - at)} {at = $1; last = $2}
         END {exit !((sum - 1) ^ 2 < 1e-4)}' curve.csv || fail "the curve is no density"
"$COPPICE" condition s.coppice --known x1=0.5 --json >report.txt
grep -q '"modes"' report.txt || fail "condition --json"

for what in joint draws slice importance; do
  "$COPPICE" plot s.coppice s.csv --what "$what" -o "$what.svg" --quiet || fail "plot $what"
  grep -q '^</svg>' "$what.svg" || fail "plot $what: no SVG"
done

refused() {
  local words=$1 status=0
  shift
  "$COPPICE" "$@" >/dev/null 2>errors.txt || status=$?
  [[ $status -eq 2 && $(wc -l <errors.txt) -eq 1 ]] || fail "$* gives $status: $(cat errors.txt)"
  grep -q -- "$words" errors.txt || fail "$* says: $(cat errors.txt)"
}
refused "'label' is a category" train blobs.csv --task density -o x
"$COPPICE" train blobs.csv --task density --target label -o blobs.coppice --quiet ||
  fail "a target is left out"
refused 'one criterion only' train s.csv --task density --criterion gini -o x
refused 'for densities' train blobs.csv --density-prior 3 -o x
refused 'methods in stages' train s.csv --task density --method boosted -o x
refused 'this model is a density' predict s.coppice more.csv --variance
"$COPPICE" train blobs.csv --trees 3 -o classes.coppice --quiet
refused 'no density' sample classes.coppice
refused 'for densities' predict classes.coppice blobs.csv --log-density
refused 'is about the answers' refine s.coppice s.csv -o x
refused 'no feature' condition s.coppice --known z=1
refused 'not a feature and its value' condition s.coppice --known x1
refused 'is known' condition s.coppice --known y=0.5 --curve y
refused 'for models with a target' plot s.coppice --what tree -o x.svg
