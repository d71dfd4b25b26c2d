#!/usr/bin/env bash
# A tree that is one chain of a million splits loads, answers, describes itself, is converted and
# drawn with a stack of 64 KB: nothing recurses into a tree. The program of a sanitizer needs more.
set -euo pipefail

[[ -n ${PYTHON:-} ]] || exit 77
support=$(cd "$(dirname "$0")/support" && pwd)
source "$support/scratch.sh"

# usage: small VERB ARGUMENT...
small() (
  ulimit -s 64
  exec "$COPPICE" "$@"
)
small --version >/dev/null 2>&1 || exit 77

printf 'x,y\n1,2\n250000,250000\n1e9,-1e9\n,\n' >rows.csv
for side in left right; do
  "$PYTHON" "$support/chain_model.py" 1000000 "$side" chain.coppice
  small describe chain.coppice >description.txt || fail "$side: describe"
  grep -q '1,000,001 leaves' description.txt || fail "$side: $(cat description.txt)"
  small predict chain.coppice rows.csv -o first.csv --quiet || fail "$side: predict"
  small convert chain.coppice chain.json --quiet || fail "$side: convert to text"
  small convert chain.json small.coppice --compress --quiet || fail "$side: and back"
  small predict small.coppice rows.csv -o again.csv --quiet || fail "$side: predict again"
  cmp first.csv again.csv || fail "$side: the answers changed"
  small apply chain.coppice rows.csv -o leaves.csv --quiet || fail "$side: apply"
  small plot chain.coppice --what tree --depth 8 -o tree.svg --quiet || fail "$side: plot tree"
done
