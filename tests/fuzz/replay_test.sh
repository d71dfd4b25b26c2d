#!/usr/bin/env bash
# Every fuzz target on the inputs that fuzzing begins with and on those in tests/fuzz/found, which
# once failed. usage: replay_test.sh FOLDER, that of the replay programs.
set -euo pipefail

[[ -n ${PYTHON:-} ]] || exit 77
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$PYTHON" tools/fuzz_corpus.py "$COPPICE" "$scratch"
for program in "$1"/replay_*_fuzz; do
  name=$(basename "$program")
  name=${name#replay_}
  inputs=("$scratch/$name")
  [[ -d tests/fuzz/found/$name ]] && inputs+=("tests/fuzz/found/$name")
  "$program" "${inputs[@]}" >"$scratch/out.txt" 2>"$scratch/inputs.txt" || {
    echo "$name fails on $(tail -n 1 "$scratch/inputs.txt")" >&2
    exit 1
  }
  echo "$name: $(cat "$scratch/out.txt")"
done
