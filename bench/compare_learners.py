#!/usr/bin/env python3
"""Prints the test errors of coppice by weak learner, beside scikit-learn's forest.

All forests have 100 trees on the same rows; the best axis-aligned one is that of coppice (default
options, or without bagging) or scikit-learn's. doc/weak_learners.md explains the learners.
"""

import argparse
import statistics
import sys
import tempfile

import datasets
import systems
import tables

AXIS = {"axis": [], "axis, all rows": ["--bagging", "none"]}
PROJECTED = {
    "oblique": ["--split", "oblique,axis", "--bagging", "none"],
    "lda": ["--split", "lda", "--bagging", "none"],
    "lda,axis": ["--split", "lda,axis", "--bagging", "none"],
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(datasets.SETS))
    parser.add_argument("--seeds", type=int, default=3, help="seeds 1 ... N (default 3)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peer", action="store_true", help="train scikit-learn's forest as well")
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program))
    return parser.parse_args()


def error_of(split, system, options, seed, arguments):
    job = {
        "system": system,
        "action": "train",
        "task": split.task,
        "train": split.train,
        "test": split.test,
        "target": split.target,
        "trees": 100,
        "max_features": split.max_features(),
        "seed": seed,
        "threads": arguments.threads,
        "program": arguments.program,
        "options": [*options, "--oob", "false"],
    }
    return systems.run(job)["error"] * (100 if split.task == "classification" else 1)


def row_of(name, arguments, scratch):
    forests = {**AXIS, **PROJECTED}
    errors = {forest: [] for forest in forests}
    if arguments.peer:
        errors["scikit-learn"] = []
    for seed in range(1, arguments.seeds + 1):
        split = datasets.split_of(name, seed, scratch)
        for forest, options in forests.items():
            errors[forest].append(error_of(split, "coppice", options, seed, arguments))
        if arguments.peer:
            errors["scikit-learn"].append(error_of(split, "sklearn", [], seed, arguments))
    means = {forest: statistics.fmean(values) for forest, values in errors.items()}
    print(name, means, file=sys.stderr, flush=True)
    best_axis = min(value for forest, value in means.items() if forest not in PROJECTED)
    best_projected = min(means[forest] for forest in PROJECTED)
    verdict = "projected" if best_projected < best_axis else "axis"
    return [name, *(f"{value:.5g}" for value in means.values()), verdict]


def main():
    arguments = parse_arguments()
    peer = ["scikit-learn"] if arguments.peer else []
    rows = [["set", *AXIS, *PROJECTED, *peer, "better"]]
    with tempfile.TemporaryDirectory() as scratch:
        rows += [row_of(name, arguments, scratch) for name in arguments.sets]
    print(tables.aligned(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
