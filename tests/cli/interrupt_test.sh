#!/usr/bin/env bash
# A training that is stopped keeps its finished trees as MODEL.partial and leaves MODEL alone.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate spirals --classes 5 --rows 20000 --noise 0.3 -o big.csv --quiet
"$COPPICE" generate spirals --classes 5 --rows 200 --noise 0.3 -o small.csv --quiet
"$COPPICE" train small.csv --trees 2 -o model.coppice --quiet
before=$(cksum <model.coppice)

# usage: interrupted SIGNAL EXIT_CODE
interrupted() {
  local status=0
  rm -f model.coppice.partial
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
  grep -q 'model.coppice.partial' error.txt || fail "$1: $(cat error.txt)"
  [[ $(cksum <model.coppice) == "$before" ]] || fail "$1: the old model changed"
  "$COPPICE" describe model.coppice.partial >description.txt
  grep -Eq '^  forest   [0-9,]+ trees?,' description.txt || fail "$1: $(cat description.txt)"
  "$COPPICE" evaluate model.coppice.partial small.csv >/dev/null
}

interrupted INT 130
interrupted TERM 143
