#!/usr/bin/env bash
# refine, prune and train --refine: better answers, smaller models, and sentences for what makes no
# sense.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate spirals --rows 800 --seed 1 -o spirals.csv --quiet
"$COPPICE" generate spirals --rows 800 --seed 2 -o more.csv --quiet
"$COPPICE" generate friedman1 --rows 600 -o friedman.csv --quiet
"$COPPICE" train spirals.csv --trees 20 --max-depth 4 -o spirals.coppice --quiet
"$COPPICE" train friedman.csv --trees 20 --max-depth 5 -o friedman.coppice --quiet

error_of() { "$COPPICE" evaluate "$1" more.csv | awk '$1 == "error" {print $2}'; }

"$COPPICE" refine spirals.coppice spirals.csv -o refined.coppice >report.txt
for words in 'leaves of spirals.coppice refined' 'cost' 'error before' 'error after'; do
  grep -q "$words" report.txt || fail "refine does not say '$words'"
done
before=$(error_of spirals.coppice)
after=$(error_of refined.coppice)
awk -v before="$before" -v after="$after" 'BEGIN {exit !(after < before)}' ||
  fail "error $before % before, $after % after"
says 'class_scores, ensemble sum' describe refined.coppice || fail "describe"

"$COPPICE" train spirals.csv --trees 20 --max-depth 4 --refine gr --refine-loss hinge \
  -o hinge.coppice >report.txt
grep -q 'refined; what is said above' report.txt || fail "train --refine says nothing"
says '--refine gr --refine-loss hinge' describe hinge.coppice || fail "command"

"$COPPICE" prune friedman.coppice friedman.csv -o small.coppice --max-model-bytes 8K >report.txt
[[ $(stat -c %s small.coppice) -le 8192 ]] || fail "pruned to $(stat -c %s small.coppice) bytes"
grep -q '<- taken' report.txt || fail "no path"
says '"steps"' prune friedman.coppice friedman.csv -o tolerable.coppice --tolerance 5% \
  --strategy least-difference --cost 0.1 --json || fail "prune --json"
cat spirals.csv <(tail -n +2 more.csv) >both.csv
"$COPPICE" prune spirals.coppice both.csv --validation-last 800 --cost 0.1 -o x.coppice >report.txt
"$COPPICE" refine spirals.coppice spirals.csv --cost 0.1 -o refined.coppice --quiet
grep -q "^ *0 .* $(error_of refined.coppice) *%" report.txt ||
  fail "the first error of prune is not that of the last rows"

refused 'for numbers' refine spirals.coppice spirals.csv -o x --loss squared
refused 'for classes' refine friedman.coppice friedman.csv -o x --loss hinge
refused 'try gr' refine spirals.coppice spirals.csv -o x --method agr
refused '--cost' refine friedman.coppice friedman.csv -o x --cost none
refused '--loss' refine friedman.coppice friedman.csv -o x --loss squarred
refused '--refine' train spirals.csv -o x --refine all
refused 'train fewer trees' prune friedman.coppice friedman.csv -o x --max-model-bytes 100
refused 'not both' prune friedman.coppice friedman.csv -o x --max-model-bytes 8K --tolerance 1%
refused '--validation-last' prune friedman.coppice friedman.csv -o x --validation-last 600
refused 'allow more' prune friedman.coppice friedman.csv -o x --max-model-bytes 4K --rounds 1
refused 'above 0' prune friedman.coppice friedman.csv -o x --max-model-bytes 0
refused 'below 0' prune friedman.coppice friedman.csv -o x --max-model-bytes -5
refused 'below 0' refine friedman.coppice friedman.csv -o x --cost-folds -1
refused 'not both' refine friedman.coppice friedman.csv -o x --cost-folds 3 --cost 1
refused 'binary model' prune friedman.coppice friedman.csv -o x.json --max-model-bytes 8K
refused 'binary model' compact friedman.coppice friedman.csv -o x.json
refused 'needs --refine' train spirals.csv -o x --refine-cost 1
refused 'calibrated' train friedman.csv -o x --refine gr --calibration true
refused 'try gr' train spirals.csv -o x --refine agr
[[ ! -e x.checkpoint && ! -e x.checkpoint.first ]] || fail "a refused training left a checkpoint"
refused '--strategy' prune friedman.coppice friedman.csv -o x --strategy worst
refused 'only be added' predict refined.coppice spirals.csv --ensemble mean

# compact keeps within its bytes, and what convert makes smaller still answers.
"$COPPICE" compact spirals.coppice spirals.csv --max-model-bytes 6K --cost 0.1 -o small.coppice >compact.txt
grep -q '^Rounding: error on .* rows: .* before, .* after$' compact.txt || fail "compact does not say what rounding costs"
[[ $(stat -c %s small.coppice) -le 6144 ]] || fail "compact wrote more than 6144 bytes"
"$COPPICE" evaluate small.coppice more.csv --quiet >/dev/null || fail "evaluate of a compact model"
"$COPPICE" convert spirals.coppice byte.coppice --payload byte --compress --quiet
[[ $(stat -c %s byte.coppice) -lt $(stat -c %s spirals.coppice) ]] || fail "convert made it larger"
"$COPPICE" convert byte.coppice again.coppice --quiet
"$COPPICE" predict byte.coppice more.csv -o packed.csv --quiet
"$COPPICE" predict again.coppice more.csv -o unpacked.csv --quiet
cmp packed.csv unpacked.csv || fail "a compressed model answers differently"
refused 'none of full, half and byte' convert spirals.coppice x --payload tiny
