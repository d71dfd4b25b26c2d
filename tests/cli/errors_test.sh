#!/usr/bin/env bash
# What goes wrong is said in a sentence on standard error, with the documented exit code, and
# leaves existing files alone.
set -euo pipefail

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch"

# usage: refused EXIT_CODE PATTERN ARGUMENT...
refused() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  "$COPPICE" "$@" >out.txt 2>error.txt || status=$?
  [[ $status -eq $wanted ]] || fail "coppice $*: exit code $status: $(cat error.txt)"
  grep -Eq -- "^coppice( $1)?: .*$pattern" error.txt || fail "coppice $*: $(cat error.txt)"
  [[ ! -s out.txt ]] || fail "coppice $*: standard output has $(cat out.txt)"
}

"$COPPICE" generate blobs --rows 100 -o blobs.csv --quiet
"$COPPICE" generate friedman1 --rows 100 -o friedman.csv --quiet
"$COPPICE" train blobs.csv --trees 3 -o model.coppice --quiet

# Usage and options.
refused 2 'did you mean train' trian
refused 2 'there is no verb' frobnicate
refused 2 'verb comes first' --quiet train
refused 2 'did you mean --max-depth' train blobs.csv --max-dept 3 -o m
refused 2 'DATA is required' train
refused 2 'where the model goes' train blobs.csv
refused 2 'excludes' train blobs.csv --header --no-header -o m
refused 2 'would be lost' train blobs.csv -o blobs.csv
refused 2 'below 0' train blobs.csv --memory -5 -o m
refused 2 'max-features is 9' train blobs.csv --max-features 9 --dry-run --quiet
refused 2 "--max-depth: 'abc' is not a whole number; try --max-depth 12" \
  train blobs.csv --max-depth abc -o m
refused 2 'did you mean gini' train blobs.csv --criterion gin -o m
refused 2 'gini is a criterion of classification' train friedman.csv --criterion gini -o m
refused 2 'too small' train blobs.csv --trees 0 -o m
refused 2 'threads' train blobs.csv --threads x -o m
refused 2 'not one character' train blobs.csv --delimiter ab -o m
refused 2 'cannot be both' train blobs.csv --numeric x1 --categorical x1 -o m
refused 2 'did you mean spirals' generate spiral -o x.csv
refused 2 'there is no tree 4' describe model.coppice --tree 4
refused 2 'is for regression' predict model.coppice blobs.csv --variance
[[ ! -e m ]] || fail "a refused training wrote a model"

# Data.
refused 2 'there is no column' train blobs.csv --target nothing -o m
printf 'a,b\n1,2\n3,4\n' >plain.csv
refused 2 'say what to learn with --target COLUMN, where COLUMN is one of a, b' train plain.csv -o m
printf 'a,label\n1,x\n3\n' >ragged.csv
refused 2 'ragged.csv:3' train ragged.csv -o m
: >empty.csv
refused 2 'empty' train empty.csv --target 1 -o m
refused 2 'lack' predict model.coppice plain.csv --ignore a
refused 2 'what the model predicts' evaluate model.coppice <(cut -d, -f1,2 blobs.csv) --format csv
"$COPPICE" generate blobs --rows 5001 -o many.csv --quiet
refused 2 'at most 5,000 rows' apply model.coppice many.csv --proximity

# Models.
refused 2 '.' describe blobs.csv
head -c 200 model.coppice >cut.coppice
refused 2 '.' predict cut.coppice blobs.csv

# Files. The old model survives what fails.
refused 3 'none.csv' train none.csv --target y -o m
refused 3 'does not exist' train blobs.csv -o nowhere/m
refused 3 'is a folder' train blobs.csv -o .
refused 3 'none.coppice' predict none.coppice blobs.csv
before=$(cksum <model.coppice)
refused 2 '.' train ragged.csv -o model.coppice
[[ $(cksum <model.coppice) == "$before" ]] || fail "a failed training changed the model"
if [[ $(id -u) -ne 0 ]]; then
  mkdir locked
  chmod a-w locked
  refused 3 'no permission' train blobs.csv -o locked/m
fi
if [[ -w /dev/full ]]; then
  status=0
  "$COPPICE" predict model.coppice many.csv >/dev/full 2>error.txt || status=$?
  [[ $status -eq 3 ]] || fail "a full disk gives $status"
fi
[[ -z $(find . -name '*.tmp*') ]] || fail "temporary files are left: $(find . -name '*.tmp*')"
