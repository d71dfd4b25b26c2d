#!/usr/bin/env bash
# A short run of tools/interrupt_and_resume.sh, and what --resume refuses.
set -euo pipefail
"$(dirname "$0")/../../tools/interrupt_and_resume.sh" 6 3
source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate spirals --classes 5 --rows 20000 --noise 0.3 -o big.csv --quiet
"$COPPICE" generate spirals --classes 5 --rows 200 --noise 0.3 -o small.csv --quiet
"$COPPICE" train small.csv --trees 2 -o model.coppice --quiet
before=$(cksum <model.coppice)

# interrupted SIGNAL EXIT_CODE: MODEL is left alone, MODEL.checkpoint is a model of its own.
interrupted() {
  local status=0
  # Not in a job of its own, a background process would ignore SIGINT.
  set -m
  "$COPPICE" train big.csv --trees 100000 --oob false -o model.coppice >out.txt 2>error.txt &
  local process=$!
  set +m
  # Before the data are printed there is nothing to stop; then give it time for a tree.
  for _ in $(seq 200); do
    if grep -q 'features' out.txt; then break; fi
    sleep 0.1
  done
  sleep 3
  kill "-$1" "$process"
  wait "$process" || status=$?
  [[ $status -eq $2 ]] || fail "$1: exit code $status: $(cat error.txt)"
  grep -q 'continue with: coppice train big.csv --trees 100000 --oob false -o model.coppice --resume' \
    error.txt || fail "$1: $(cat error.txt)"
  [[ $(cksum <model.coppice) == "$before" ]] || fail "$1: the old model changed"
  "$COPPICE" describe model.coppice.checkpoint >description.txt
  grep -Eq '^  forest   [0-9,]+ trees?,' description.txt || fail "$1: $(cat description.txt)"
  "$COPPICE" evaluate model.coppice.checkpoint small.csv >/dev/null
}

interrupted INT 130
rm model.coppice.checkpoint
interrupted TERM 143

refused 'continue it with --resume, or remove' train big.csv -o model.coppice --quiet
resume() { refused "$1" train "${@:2}" --oob false -o model.coppice --resume --quiet; }
resume '--n-estimators was 100000, now 5;' big.csv --trees 5
resume '20000 rows then, 200 now' small.csv --trees 100000
resume '--max-depth was none, now 7' big.csv --trees 100000 --max-depth 7
head -c 1000 model.coppice.checkpoint >cut && mv cut model.coppice.checkpoint
resume 'model.coppice.checkpoint' big.csv --trees 100000
[[ $(cksum <model.coppice) == "$before" ]] || fail 'a refusal changed the model'

# Killed without a warning, in the middle of several parts.
rm model.coppice.checkpoint
# The third part comes after about 60 trees.
forest=(train big.csv --trees 600 --oob false --quiet)
"$COPPICE" "${forest[@]}" -o whole.coppice
"$COPPICE" "${forest[@]}" -o killed.coppice --checkpoint 0.02 &
process=$!
for _ in $(seq 400); do
  if [[ -e killed.coppice.checkpoint.3 ]]; then break; fi
  sleep 0.02
done
kill -KILL "$process" && wait "$process" 2>/dev/null || true
[[ -e killed.coppice.checkpoint.3 ]] || fail 'there are no parts'
refused 'holds trees without leaves' describe killed.coppice.checkpoint.2
"$COPPICE" "${forest[@]}" -o killed.coppice --checkpoint 0.02 --resume
cmp -s whole.coppice killed.coppice || fail 'what was killed ended in another model'
! compgen -G 'killed.coppice.checkpoint*' >/dev/null || fail 'parts are left'

# Nothing to continue is no error; what was continued leaves nothing behind.
"$COPPICE" train small.csv --trees 2 -o model.coppice --resume >/dev/null 2>error.txt
grep -q 'there is no model.coppice.checkpoint' error.txt || fail "$(cat error.txt)"
[[ $(cksum <model.coppice) == "$before" ]] || fail 'another model'
[[ ! -e model.coppice.checkpoint ]] || fail 'a checkpoint is left'
