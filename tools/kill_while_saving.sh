#!/usr/bin/env bash
# Kills the program (SIGKILL) at random moments while it replaces a model, and checks that the file
# is always the old one or the new one, bit for bit, and that the next save removes what was left
# behind. usage: tools/kill_while_saving.sh [KILLS]; COPPICE names the program.
set -euo pipefail

coppice=${COPPICE:-$(cd "$(dirname "$0")/.." && pwd)/build/release/coppice}
kills=${1:-1000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$coppice" generate spirals --classes 5 --rows 3000 --noise 0.3 -o data.csv --quiet
for seed in 1 2; do
  "$coppice" train data.csv --trees 30 --seed "$seed" --oob false -o "$seed.coppice" --quiet
done

old=0 new=0
cp 1.coppice model.coppice
for ((n = 0; n < kills; ++n)); do
  from=$((n % 2 + 1))
  "$coppice" convert "$from.coppice" model.coppice --quiet &
  process=$!
  sleep "0.0$((RANDOM % 30 / 10))$((RANDOM % 10))"
  kill -9 "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || true
  if cmp -s model.coppice "$from.coppice"; then
    new=$((new + 1))
  elif cmp -s model.coppice "$((3 - from)).coppice"; then
    old=$((old + 1))
  else
    echo "kill $n: model.coppice is neither the old nor the new model" >&2
    exit 1
  fi
done

"$coppice" convert 1.coppice model.coppice --quiet
left=$(find . -name '.model.coppice.*' | wc -l)
[[ $left -eq 0 ]] || { echo "$left temporary files survive the next save" >&2; exit 1; }
echo "$kills kills: $new times the new model, $old times the old one, never another"
