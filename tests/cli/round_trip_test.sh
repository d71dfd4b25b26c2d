#!/usr/bin/env bash
# Generated data through every verb; what comes out must agree with what went in.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

# --- Classification ------------------------------------------------------------------------------

"$COPPICE" generate spirals --classes 3 --rows 600 --seed 1 --noise 0.03 -o train.csv >/dev/null
"$COPPICE" generate spirals --classes 3 --rows 300 --seed 2 --noise 0.03 -o test.csv >/dev/null
[[ $(wc -l <train.csv) -eq 601 ]] || fail "generate: $(wc -l <train.csv) lines"
"$COPPICE" generate spirals --classes 3 --rows 600 --seed 1 --noise 0.03 | cmp - train.csv

"$COPPICE" train train.csv --target label --trees 30 --quiet -o model.coppice >quiet.txt
[[ ! -s quiet.txt ]] || fail "--quiet is not quiet"
"$COPPICE" train train.csv --trees 30 -o again.coppice >talk.txt 2>&1
cmp model.coppice again.coppice
for words in '600 rows' '3 classes' '30 trees trained' 'OOB error' 'importance' 'next: coppice'; do
  grep -q "$words" talk.txt || fail "train does not say '$words'"
done
if grep -q $'\r' talk.txt; then fail "a progress bar without a terminal"; fi

"$COPPICE" evaluate model.coppice test.csv >evaluation.txt
accuracy=$(awk '$1 == "accuracy" {print int($2)}' evaluation.txt)
[[ $accuracy -ge 90 ]] || fail "accuracy $accuracy"
[[ $(grep -c 'truth' evaluation.txt) -eq 1 ]] || fail "no confusion matrix"

"$COPPICE" predict model.coppice test.csv >answers.csv
"$COPPICE" predict model.coppice test.csv -o file.csv --quiet
cmp answers.csv file.csv
head -1 answers.csv | grep -qx 'prediction,probability_a,probability_b,probability_c'
[[ $(wc -l <answers.csv) -eq 301 ]] || fail "predict: $(wc -l <answers.csv) lines"
# The answers of predict have the accuracy that evaluate reports.
paste -d, <(cut -d, -f1 answers.csv) <(awk -F, '{print $NF}' test.csv) | tail -n +2 |
  awk -F, '{right += $1 == $2} END {printf "%.2f\n", 100 * right / NR}' >right.txt
grep -q "accuracy *$(cat right.txt) %" evaluation.txt || fail "accuracy is not $(cat right.txt)"
# Without the target, with reordered columns, and with nonsense as target: the same answers.
awk -F, '{print $2 "," $1}' test.csv >bare.csv
"$COPPICE" predict model.coppice bare.csv | cmp - answers.csv
awk -F, 'NR == 1 {print} NR > 1 {print $1 "," $2 ",?!"}' test.csv >nonsense.csv
"$COPPICE" predict model.coppice nonsense.csv | cmp - answers.csv
"$COPPICE" predict model.coppice - --format csv <test.csv | cmp - answers.csv
[[ $("$COPPICE" predict model.coppice test.csv --no-probabilities | head -1) == prediction ]]
[[ $("$COPPICE" predict model.coppice test.csv --per-tree --no-probabilities | head -1 |
  tr ',' '\n' | wc -l) -eq 31 ]] || fail "--per-tree"

# --- Regression ----------------------------------------------------------------------------------

"$COPPICE" generate friedman1 --rows 400 -o friedman.csv --quiet
"$COPPICE" train friedman.csv --trees 20 -o friedman.coppice --quiet
says 'RMSE' evaluate friedman.coppice friedman.csv
[[ $("$COPPICE" predict friedman.coppice friedman.csv --variance | head -1) == prediction,variance ]]
"$COPPICE" train friedman.csv --extra-trees --trees 5 -o extra.coppice --quiet
"$COPPICE" train friedman.csv --threshold random --bagging none --trees 5 -o same.coppice --quiet
cmp extra.coppice same.coppice

# --- The model -----------------------------------------------------------------------------------

"$COPPICE" convert model.coppice model.json --quiet
"$COPPICE" convert model.json -o back.coppice --quiet
cmp model.coppice back.coppice
"$COPPICE" predict model.json test.csv | cmp - answers.csv
"$COPPICE" describe model.coppice >description.txt
grep -q 'command  coppice train train.csv --target label --n-estimators 30$' description.txt ||
  fail "the command: $(grep command description.txt)"
for words in '30 trees' 'classification of label' 'leaf support' 'criterion' 'importance'; do
  grep -q "$words" description.txt || fail "describe does not say '$words'"
done
if grep -q "$scratch" model.json; then fail "a path is in the model"; fi
"$COPPICE" describe model.coppice --tree 30 >tree.txt
leaves=$(grep -c '(leaf ' tree.txt)
[[ $(grep -c '^ *if ' tree.txt) -eq $((leaves - 1)) ]] || fail "splits and leaves of the tree"

# --- Leaves --------------------------------------------------------------------------------------

"$COPPICE" apply model.coppice test.csv >leaves.csv
[[ $(wc -l <leaves.csv) -eq 301 ]] || fail "apply: $(wc -l <leaves.csv) lines"
head -1 leaves.csv | grep -q '^tree_1,.*,tree_30$'
"$COPPICE" apply model.coppice test.csv --proximity >proximity.csv
awk -F, 'NR > 1 && $(NR - 1) != 1 {exit 1}' proximity.csv || fail "a row is not next to itself"
[[ $("$COPPICE" apply model.coppice test.csv --nearest 4 | wc -l) -eq 1201 ]] || fail "--nearest"
"$COPPICE" apply model.coppice test.csv --paths | awk -F, 'NR == 2 {print $3}' >leaf.txt
[[ $(cat leaf.txt) -eq $(awk -F, 'NR == 2 {print $1}' leaves.csv) ]] || fail "path and leaf differ"
