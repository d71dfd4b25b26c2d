#!/usr/bin/env bash
# Trains the same small jobs with different compilers, optimisation levels, numbers of threads and
# orders of growth, and compares the model files byte for byte.
# COPPICE_A="path ..." compares these programs instead of building five.
set -euo pipefail
shopt -s inherit_errexit  # a build that fails inside $(...) ends the script
cd "$(dirname "$0")/.."

thread_counts=(1 2 3 8)
orders=(depth-first breadth-first)
builds=("g++ -O0" "g++ -O3" "clang++ -O0" "clang++ -O3" "g++ -O2 -march=native")

# name | data file | arguments of `coppice train`
jobs=(
  "classes-exact|blobs|--threshold exact"
  "classes-bins|blobs|--threshold bins --bins 30 --exact-rows 0"
  "classes-random|blobs|--threshold random"
  "classes-entropy|blobs|--criterion entropy --max-features all"
  "classes-balanced|blobs|--class-weight balanced --bagging none"
  "numbers-exact|friedman1|--threshold exact"
  "numbers-bins|friedman1|--threshold bins --bins 20 --exact-rows 200"
  "large-bins|friedman2|--exact-rows 3000 --min-samples-leaf 3"
  "large-exact|friedman2|--threshold exact --oob false --min-samples-leaf 3"
  "large-random|friedman2|--threshold random --max-depth 12"
  "numbers-subsets|friedman1|--bagging without-replacement --max-samples 0.6"
  "numbers-random|friedman1|--threshold random --random-thresholds 3"
  "numbers-shallow|friedman1|--max-depth 4 --min-samples-leaf 5"
  "mixed-exact|mixed|--target label --ignore amount,share --threshold exact"
  "mixed-bins|mixed|--target label --ignore amount,share --exact-rows 100 --bins 8"
  "mixed-memory|mixed|--target label --ignore amount,share --memory 1G"
  "mixed-random|mixed|--target label --ignore amount,share --threshold random"
  "mixed-weights|mixed|--target label --ignore amount --weights share"
  "mixed-numbers|mixed|--target amount --ignore label --weights share"
  "classes-oblique|blobs|--split oblique,conic --coefficients gaussian --candidates 5"
  "classes-twoing|blobs|--criterion twoing --class-weight resample --feature-weights learned"
  "classes-directions|blobs|--split lda,pca --bagging none --criterion renyi"
  "large-lda|friedman2|--split lda,axis --exact-rows 3000 --min-samples-leaf 3 --max-depth 12"
  "numbers-absolute|friedman1|--criterion absolute"
  "numbers-by-lines|friedman1|--recipe einfalt-or"
  "mixed-log-det|mixed|--target amount,share --ignore label --criterion log-det"
  "mixed-features|mixed|--target amount --ignore label,share --criterion variance-features"
  "numbers-lines|friedman1|--leaf probabilistic-linear --min-samples-leaf 10 --calibration true"
  "numbers-polynomial|friedman1|--leaf polynomial --min-samples-leaf 20"
  "numbers-quantiles|friedman1|--leaf quantiles --min-samples-leaf 5"
  "mixed-bands|mixed|--target label --ignore amount,share --two-sided true --split axis,difference"
  "mixed-lda|mixed|--target label --ignore amount,share --split lda,conic"
  "classes-alternating|blobs|--method adf"
  "classes-alternating-savage|blobs|--method adf --loss savage --criterion entropy --shrinkage 0.7"
  "classes-boosted|blobs|--method boosted --loss logit"
  "classes-dynamic|blobs|--method dynamic"
  "numbers-alternating|friedman1|--method arf"
  "numbers-alternating-huber|friedman1|--method arf --loss huber --bagging none"
  "numbers-alternating-linear|friedman1|--method arf --leaf linear --min-samples-leaf 5"
  "numbers-boosted|friedman1|--method boosted --loss absolute"
  "classes-newton|blobs|--method newton"
  "classes-irrf|blobs|--method irrf"
  "numbers-irrf|friedman1|--method irrf --max-depth 4"
  "mixed-alternating|mixed|--target label --ignore amount,share --method adf --loss exponential"
  "classes-refined|blobs|--max-depth 4 --refine gr"
  "classes-refined-hinge|blobs|--max-depth 4 --refine gr --refine-loss hinge"
  "numbers-refined|friedman1|--max-depth 5 --refine agr"
  "numbers-refined-absolute|friedman1|--max-depth 5 --refine gr --refine-loss absolute"
  "numbers-refined-lines|friedman1|--leaf linear --max-depth 3 --refine gr"
  "mixed-importance|mixed|--target label --ignore amount,share --importance permutation,unbiased"
  "density|swiss-roll|--task density --ignore y"
  "density-oblique|swiss-roll|--task density --ignore y --split oblique --max-depth 3"
  "manifold|swiss-roll|--task manifold --ignore y"
  "few-labels|arms|--task semi-supervised"
  "few-labels-numbers|swiss-roll|--task semi-supervised --target y"
)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build_programs() {
  local flags folder
  for flags in "${builds[@]}"; do
    folder=build/determinism/$(tr -c 'a-zA-Z0-9\n' '_' <<<"$flags")
    echo "building with $flags" >&2
    cmake -G Ninja -S . -B "$folder" -DCOPPICE_TESTS=OFF -DCMAKE_BUILD_TYPE=None \
      -DCMAKE_CXX_COMPILER="${flags%% *}" -DCMAKE_CXX_FLAGS="${flags#* }" >/dev/null
    cmake --build "$folder" --parallel "$(nproc)" --target coppice_cli >"$scratch/log" || {
      cat "$scratch/log" >&2
      return 1
    }
    echo "$PWD/$folder/coppice"
  done
}

# Numbers with gaps, categories with gaps, weights, a class and a number to learn.
write_mixed() {
  awk 'function draw(bound) { state = (state * 16807) % 2147483647; return state % bound }
    BEGIN {
      state = 20240229
      print "length,width,colour,shop,share,label,amount"
      for (row = 0; row < 400; ++row) {
        length_ = draw(1000) / 8; width = draw(50); colour = draw(5)
        shop = draw(40); noise = draw(100)
        label = (length_ > 60) + (colour % 2 == 1 && shop < 25)
        amount = length_ * 0.25 + width * (colour < 3) + noise / 10
        printf "%s,%s,%s,%s,%s,%s,%s\n", draw(10) ? length_ : "", width, \
          draw(12) ? "colour" colour : "", "shop" shop, (1 + draw(8)) / 4, \
          "kind" (noise < 8 ? draw(3) : label), amount
      }
    }'
}

# The number of variants of a job, and whether their files are the same.
compare() {
  local name=$1 data=$2 arguments=$3 program threads order
  local variants=0 sums=$scratch/sums
  : >"$sums"
  for program in "${programs[@]}"; do
    for threads in "${thread_counts[@]}"; do
      for order in "${orders[@]}"; do
        # shellcheck disable=SC2086  # the arguments are words
        "$program" train "$scratch/$data.csv" -o "$scratch/model" --n-estimators 10 --seed 7 \
          --threads "$threads" --growth-order "$order" --quiet $arguments >/dev/null || return 1
        sha256sum <"$scratch/model" >>"$sums"
        variants=$((variants + 1))
      done
    done
  done
  local distinct
  distinct=$(sort -u "$sums" | wc -l)
  local verdict=yes
  [[ $distinct -eq 1 ]] || verdict="no: $distinct different files"
  printf '%-20s %8d  %s\n' "$name" "$variants" "$verdict"
  [[ $distinct -eq 1 ]]
}

if [[ -n ${COPPICE_A:-} ]]; then
  read -ra programs <<<"$COPPICE_A"
else
  built=$(build_programs)
  mapfile -t programs <<<"$built"
fi
generate() { "${programs[0]}" generate "$1" -o "$scratch/$1.csv" --quiet "${@:2}" >/dev/null; }
generate blobs --rows 500 --classes 3 --noise 0.4 --seed 3
generate friedman1 --rows 400 --seed 4
generate friedman2 --rows 10000 --seed 5
generate swiss-roll --rows 400 --seed 6 --labels 40
generate arms --rows 400 --classes 4 --noise 0.02 --seed 7 --labels 8
write_mixed >"$scratch/mixed.csv"

printf '%-20s %8s  %s\n' job variants identical
failures=0
for job in "${jobs[@]}"; do
  IFS='|' read -r name data arguments <<<"$job"
  compare "$name" "$data" "$arguments" || failures=$((failures + 1))
done
variants="${#programs[@]} programs x ${#thread_counts[@]} thread counts x ${#orders[@]} orders"
echo "$variants: $failures of ${#jobs[@]} jobs differ or fail"
[[ $failures -eq 0 ]]
