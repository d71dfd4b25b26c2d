#!/usr/bin/env bash
# Installs a finished build into a temporary prefix, then builds and runs a project against it.
# usage: install_test.sh BUILD_FOLDER CMAKE [configure arguments...]
set -euo pipefail

build=$1 cmake=$2
shift 2
consumer=$(cd "$(dirname "$0")" && pwd)/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cmake" --install "$build" --prefix "$scratch/prefix" >"$scratch/install.log"
"$cmake" -S "$consumer" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" "$@"
grep -q "coppice_DIR:PATH=$scratch/prefix/" "$scratch/build/CMakeCache.txt"
"$cmake" --build "$scratch/build"
"$scratch/build/consumer"
"$scratch/prefix/bin/coppice" --version
