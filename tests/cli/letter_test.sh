#!/usr/bin/env bash
# Letter recognition (16,000 training rows): the error that random forests are known to reach.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=${COPPICE_DATA:-$repository/../shared/data}/classification
if [[ ! -r $folder/letter.train.csv ]]; then
  echo "SKIPPED: no letter.train.csv in $folder"
  exit 77
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$COPPICE" train "$folder/letter.train.csv" --trees 50 -o "$scratch/letter.coppice" |
  tee "$scratch/training.txt"
grep -q '26 classes' "$scratch/training.txt" || fail "classes"
"$COPPICE" evaluate "$scratch/letter.coppice" "$folder/letter.test.csv" >"$scratch/evaluation.txt"
error=$(awk '$1 == "error" {print $2}' "$scratch/evaluation.txt")
awk -v error="$error" 'BEGIN {exit !(error > 2 && error < 5)}' || fail "error $error %"
echo "test error $error %"
