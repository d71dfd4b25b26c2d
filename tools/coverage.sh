#!/usr/bin/env bash
# Line coverage of what reads, writes and validates: src/base/*file*, src/data readers and src/model,
# by their own tests and those of tests/faults. Fails below PERCENT (97). usage: tools/coverage.sh
set -euo pipefail
cd "$(dirname "$0")/.."

percent=${1:-97}
cmake --preset dev -B build/coverage -DCMAKE_CXX_FLAGS=--coverage \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
cmake --build build/coverage --parallel "${JOBS:-$(nproc)}" \
  --target base_test data_test model_test faults_test
find build/coverage -name '*.gcda' -delete
for name in base data model faults; do
  build/coverage/tests/${name}_test --gtest_brief=1
done

sources='src/(base/(atomic_file|mapped_file|utf8)|model/[a-z_]*|data/([a-z]*_reader|[a-z]*_source|'
sources+='csv_fields|arff_cursor|npy_header|number_text|assemble|conform|table|column_plan|'
sources+='dictionary|read_dataset))\.cpp'
find build/coverage/CMakeFiles/coppice.dir -name '*.gcda' -print0 |
  xargs -0 gcov --no-output --relative-only --source-prefix "$PWD" 2>/dev/null |
  awk -v sources="^File '([.][.]/)*$sources'" -v least="$percent" '
    $1 == "File" { wanted = $0 ~ sources; file = $2 }
    wanted && /^Lines executed/ {
      split($0, part, /[:% ]+/)
      count = part[5]; hit = part[3] * count / 100
      printf "%6.1f %% of %4d lines  %s\n", part[3], count, file
      all += count; covered += hit; wanted = 0
    }
    END {
      if (all == 0) { print "coverage: no file was measured"; exit 1 }
      printf "%6.2f %% of %d lines\n", 100 * covered / all, all
      exit 100 * covered / all < least
    }'
