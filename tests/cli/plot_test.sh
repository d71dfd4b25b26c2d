#!/usr/bin/env bash
# Every picture of `coppice plot` is drawn in both formats, the same every time; what does not apply
# is refused with a sentence and leaves no file.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

"$COPPICE" generate spirals --classes 3 --rows 150 -o plane.csv --quiet
"$COPPICE" generate two-piece-line --rows 80 --noise 0.05 -o line.csv --quiet
"$COPPICE" generate friedman1 --rows 120 -o many.csv --quiet
printf 'colour,label\nred,<a>\nblue,b&c\nred,<a>\nblue,b&c\ngreen,b&c\n' >words.csv
for name in plane line many words; do
  "$COPPICE" train "$name.csv" --trees 5 -o "$name.coppice" --quiet
done

# usage: drawn MODEL ARGUMENT...
drawn() {
  local model=$1
  shift
  "$COPPICE" plot "$model.coppice" "$@" -o a.png --quiet || fail "plot $model $*"
  "$COPPICE" plot "$model.coppice" "$@" -o a.svg --quiet || fail "plot $model $*"
  "$COPPICE" plot "$model.coppice" "$@" -o b.svg --quiet --threads 1
  cmp a.svg b.svg || fail "plot $model $*: two pictures differ"
  [[ $(head -c 4 a.png | tail -c 3) == PNG ]] || fail "plot $model $*: no PNG"
  grep -q '^<svg ' a.svg && grep -q '^</svg>' a.svg || fail "plot $model $*: no SVG"
  ! grep -Eq '[^a-z](nan|inf|-nan)[^a-z]' a.svg || fail "plot $model $*: a number is not finite"
  if [[ -n ${PYTHON:-} ]]; then
    "$PYTHON" -c 'import sys, xml.dom.minidom as x; x.parse("a.svg")' || fail "$model $*: XML"
  fi
  rm a.svg b.svg a.png
}

for what in posterior entropy partition section tree importance; do
  drawn plane --what "$what"
  drawn plane plane.csv --what "$what"
done
drawn plane plane.csv --what posterior --boundary --no-rows
drawn plane plane.csv --what partition --tree 2
drawn plane plane.csv --what tree --tree 2 --row 7 --depth 8
drawn plane --what tree --depth 0
drawn plane plane.csv --what section --at 0.5
drawn line
drawn line line.csv
drawn line line.csv --what density --no-rows
for what in learning-curve calibration confusion importance; do
  drawn plane plane.csv --what "$what"
done
for what in learning-curve predicted tree importance; do drawn many many.csv --what "$what"; done
drawn many many.csv --what importance --importance permutation
drawn words
drawn words words.csv --what tree --row 1
drawn words words.csv --what confusion

# The default follows from the model and the data.
default() {
  says "\"what\": *\"$1\"" plot "${@:2}" -o x.svg --json || fail "default $1"
}
default posterior plane.coppice
default density line.coppice line.csv
default predicted many.coppice many.csv
default importance many.coppice
default confusion words.coppice words.csv
rm x.svg

# usage: refused EXIT_CODE PATTERN ARGUMENT...
refused() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  "$COPPICE" plot "$@" >out.txt 2>error.txt || status=$?
  [[ $status -eq $wanted ]] || fail "plot $*: exit code $status: $(cat error.txt)"
  grep -Eq -- "^coppice plot: .*$pattern" error.txt || fail "plot $*: $(cat error.txt)"
  [[ ! -s out.txt ]] || fail "plot $*: standard output has $(cat out.txt)"
}
refused 2 'ends in .svg or .png' plane.coppice -o x.jpg
refused 2 'output is required' plane.coppice
refused 2 'did you mean posterior' plane.coppice --what posterio -o x.svg
refused 2 'needs a classification model with two numeric features; .* 10 features' \
  many.coppice --what posterior -o x.svg
refused 2 'two numeric features; .* 1 feature$' words.coppice --what partition -o x.svg
refused 2 'one numeric feature and one target' plane.coppice --what density -o x.svg
refused 2 'is for classification' many.coppice many.csv --what calibration -o x.svg
refused 2 'is for regression' plane.coppice plane.csv --what predicted -o x.svg
refused 2 'name a DATA file' plane.coppice --what confusion -o x.svg
refused 2 'there is no tree 6' plane.coppice --what tree --tree 6 -o x.svg
refused 2 'there is no row 151' plane.coppice plane.csv --what tree --row 151 -o x.svg
refused 2 'name the DATA file' plane.coppice --what tree --row 1 -o x.svg
refused 2 'train with --importance unbiased' plane.coppice --what importance \
  --importance unbiased -o x.svg
refused 2 "no target 'z'" many.coppice many.csv --target z -o x.svg
refused 2 'what the model predicts' plane.coppice <(cut -d, -f1,2 plane.csv) --format csv \
  --what confusion -o x.svg
refused 3 'does not exist' plane.coppice -o nowhere/x.svg
[[ -z $(find . -name 'x.*' -o -name '*.tmp*') ]] || fail "a refused picture left a file"
