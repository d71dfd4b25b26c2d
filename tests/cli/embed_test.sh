#!/usr/bin/env bash
# train --task manifold, embed and cluster: the mapping gives embedded rows their own coordinates,
# the Swiss roll has two dimensions, pictures are drawn, and mistakes are refused with a sentence.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate swiss-roll --rows 1500 --noise 0 -o roll.csv --quiet
"$COPPICE" train roll.csv --task manifold --ignore y -o roll.coppice --quiet
"$COPPICE" embed roll.coppice roll.csv -o flat.csv --save-mapping map.coppice \
  --proximity near.csv --neighbours 4 >report.txt
grep -q 'intrinsic dimension 2' report.txt || fail "$(cat report.txt)"
[[ $(head -1 flat.csv) == embedding_1,embedding_2 && $(wc -l <flat.csv) -eq 1501 ]] || fail "flat.csv"
[[ $(head -1 near.csv) == row,neighbour,proximity && $(wc -l <near.csv) -eq 6001 ]] || fail "near.csv"

# Columns of predict: means, then their deviations or variances.
"$COPPICE" predict map.coppice roll.csv -o mapped.csv --quiet
paste -d, <(cut -d, -f1,2 flat.csv) mapped.csv | awk -F, '
  NR == 1 {for (i = 3; i <= NF; ++i) if ($i ~ /embedding_1$/ && !a) a = i; else if ($i ~ /embedding_2$/ && !b) b = i; next}
  {d = $1 - $a; e = $2 - $b; if (d * d + e * e > 1e-6) bad = 1}
  END {exit !(a && b && !bad)}' || fail "the mapping moves embedded rows"

"$COPPICE" plot map.coppice roll.csv --what embedding --colour y -o flat.svg --quiet
"$COPPICE" plot map.coppice --what eigenvalues -o profile.svg --quiet
[[ $(grep -c '<circle' flat.svg) -gt 1000 && $(grep -c '<circle' profile.svg) -ge 40 ]] || fail "plots"

# Threads change nothing; a forest of another task will do; --json is one object.
"$COPPICE" embed roll.coppice roll.csv -o again.csv --threads 1 --quiet
cmp flat.csv again.csv || fail "threads change the embedding"
"$COPPICE" generate blobs --rows 300 --noise 0.05 --classes 3 -o blobs.csv --quiet
"$COPPICE" train blobs.csv --max-depth 3 -o blobs.coppice --quiet
"$COPPICE" cluster blobs.coppice blobs.csv --clusters 3 --json >clusters.json
grep -q '"clusters": *3' clusters.json || fail "$(head -c 300 clusters.json)"
"$COPPICE" embed blobs.coppice blobs.csv --affinity gaussian --dimensions 3 -o b.npy --quiet

refuse() {
  local words=$1
  shift
  if "$COPPICE" "$@" >out.txt 2>&1; then fail "$* is accepted"; fi
  grep -q "$words" out.txt || fail "$*: $(cat out.txt)"
}
refuse 'did you mean' embed roll.coppice roll.csv --affinity gausian
refuse 'need about' embed roll.coppice roll.csv --memory 100K
refuse 'needs a mapping' plot roll.coppice --what eigenvalues -o x.svg
