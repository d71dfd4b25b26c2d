#!/usr/bin/env bash
# Runs every fuzz target of the fuzz preset for some seconds, beginning with the inputs of
# tools/fuzz_corpus.py and those that once failed. A crashing input is left in build/fuzz/findings/;
# once mended, it belongs into tests/fuzz/found/TARGET. usage: tools/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
mkdir -p build/fuzz/findings build/fuzz/corpus
python3 tools/fuzz_corpus.py build/fuzz/coppice build/fuzz/seeds
for program in build/fuzz/fuzz/*_fuzz; do
  [[ -x $program ]] || { echo "fuzz: no target was built" >&2; exit 1; }
  name=$(basename "$program")
  corpus=build/fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=("build/fuzz/seeds/$name")
  [[ -d tests/fuzz/found/$name ]] && seeds+=("tests/fuzz/found/$name")
  echo "== $name"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$name-" "$corpus" "${seeds[@]}"
done
