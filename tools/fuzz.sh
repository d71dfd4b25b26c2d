#!/usr/bin/env bash
# Runs every fuzz target of the fuzz preset for some seconds, beginning with its stored inputs.
# A crashing input is left in build/fuzz/findings/. usage: tools/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
mkdir -p build/fuzz/findings
for program in build/fuzz/fuzz/*_fuzz; do
  [[ -x $program ]] || { echo "fuzz: no target was built" >&2; exit 1; }
  name=$(basename "$program")
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=()
  [[ -d tests/fuzz/corpus/$name ]] && seeds=("tests/fuzz/corpus/$name")
  echo "== $name"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/findings/$name-" "$corpus" "${seeds[@]}"
done
