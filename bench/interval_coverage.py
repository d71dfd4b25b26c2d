#!/usr/bin/env python3
"""Prints the share of unseen targets inside of 90 % intervals calibrated out of bag.

The regression sets of datasets.py, cut anew for every seed unless they have an official
split; 100 trees, leaves that keep quantiles, and constant ones.
"""

import argparse
import statistics
import tempfile

import coppice_program
import datasets
import tables
from processes import finish

# name -> (samples of a leaf at least, options)
LEAVES = {"constant": (1, []), "quantiles": (5, ["--leaf", "quantiles"])}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="seeds 1 ... N (default 3)")
    parser.add_argument("--threads", type=int, default=2)
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program))
    return parser.parse_args()


def coverage(split, leaves, seed, arguments, scratch):
    min_leaf, options = LEAVES[leaves]
    job = {"task": split.task, "train": split.train, "target": split.target, "trees": 100,
           "max_features": split.max_features(), "min_leaf": min_leaf, "seed": seed,
           "threads": arguments.threads,
           "program": arguments.program, "model": f"{scratch}/model",
           "options": ["--calibration", "true", *options]}
    coppice_program.train_alone(job)
    answer = finish([arguments.program, "evaluate", job["model"], split.test, "--json"]).json()
    return 100 * answer["interval_coverage"]


def main():
    arguments = parse_arguments()
    rows = [["set", "leaves", *(f"seed {s + 1}" for s in range(arguments.seeds)), "mean"]]
    sets = [name for name, (task, _) in datasets.SETS.items() if task == "regression"]
    with tempfile.TemporaryDirectory() as scratch:
        for name in sets:
            for leaves in LEAVES:
                found = [coverage(datasets.split_of(name, seed, scratch), leaves, seed, arguments,
                                  scratch) for seed in range(1, arguments.seeds + 1)]
                rows.append([name, leaves, *(f"{share:.1f}" for share in found),
                             f"{statistics.fmean(found):.1f}"])
    print(tables.Section("Targets inside of 90 % intervals, %", rows).text())


if __name__ == "__main__":
    main()
