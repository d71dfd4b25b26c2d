#!/usr/bin/env bash
# bench measures every engine of a model and says which one predictions use.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate rings --classes 3 --rows 300 --seed 1 -o rings.csv --quiet
"$COPPICE" generate friedman1 --rows 200 -o friedman.csv --quiet
"$COPPICE" train rings.csv --trees 5 -o rings.coppice --quiet
"$COPPICE" train friedman.csv --trees 5 -o friedman.coppice --quiet

for name in rings friedman; do
  "$COPPICE" bench $name.coppice $name.csv --repeats 2 --threads 2 >bench.txt 2>errors.txt
  [[ ! -s errors.txt ]] || fail "bench of $name complains: $(cat errors.txt)"
  for words in '5 trees' '2 threads' 'rows/s' 'p50' 'p90' 'p99' ' wide ' ' packed ' \
    'batches and single rows use'; do
    grep -q -- "$words" bench.txt || fail "bench of $name does not say '$words'"
  done
  [[ $(grep -c '^ *\* ' bench.txt) -eq 1 ]] || fail "not one engine of $name is marked"
  marked=$(awk '$1 == "*" {print $2}' bench.txt)
  grep -q "single rows use $marked:" bench.txt || fail "the marked engine of $name is not the used one"
done

# Without the target column, and with the table alone.
cut -d, -f1,2 rings.csv >features.csv
"$COPPICE" bench rings.coppice features.csv --repeats 1 --quiet >quiet.txt
grep -q wide quiet.txt || fail "--quiet hides the results"
if grep -q 'rows use' quiet.txt; then fail "--quiet is not quiet"; fi

status=0
head -1 rings.csv >empty.csv
"$COPPICE" bench rings.coppice empty.csv >/dev/null 2>errors.txt || status=$?
[[ $status -eq 2 && $(wc -l <errors.txt) -eq 1 ]] || fail "no rows give $status: $(cat errors.txt)"
for arguments in '--repeats 0' '--repeats x' '--repeat 3'; do
  status=0
  # shellcheck disable=SC2086
  "$COPPICE" bench rings.coppice rings.csv $arguments >/dev/null 2>errors.txt || status=$?
  [[ $status -eq 2 && $(wc -l <errors.txt) -eq 1 ]] || fail "$arguments gives $status"
done
