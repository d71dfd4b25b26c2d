#!/usr/bin/env bash
# Noisy images whose class is which of two corners is brighter: a matter of means, not of pixels.
set -euo pipefail

source "$(dirname "$0")/support/scratch.sh"

python3 - <<'END'
import random

random.seed(1)


def image():
    pixels = [random.gauss(0, 1) for _ in range(8 * 6)]
    label = random.choice(["first", "last"])
    for y in range(3):
        for x in range(3):
            pixels[8 * y + x if label == "first" else 8 * (y + 3) + x + 5] += 0.7
    return [f"{pixel:.3f}" for pixel in pixels] + [label]


for name, rows in ("train", 800), ("test", 800):
    with open(f"{name}.csv", "w") as file:
        print(*[f"p{i}" for i in range(48)], "label", sep=",", file=file)
        for _ in range(rows):
            print(*image(), sep=",", file=file)
END

error() {
  "$COPPICE" train train.csv --trees 10 --quiet -o "$1.coppice" "${@:2}" >/dev/null
  "$COPPICE" evaluate "$1.coppice" test.csv --json --quiet |
    python3 -c 'import json, sys; print(round(1000 * json.load(sys.stdin)["error"]))'
}
pixels=$(error pixels)
boxes=$(error boxes --split boxes --image-width 8 --box-side 3)
((boxes * 10 < pixels * 7)) || fail "per mille of errors: boxes $boxes, pixels $pixels"
says 'sums of features' describe boxes.coppice || fail "describe has no sums"

# How features lie has to be known.
refused '48 features are no square' train train.csv --split boxes -o none.coppice
refused 'no whole number of such rows' train train.csv --split boxes --image-width 7 -o none.coppice
[[ ! -e none.coppice ]] || fail "a model of nothing"
