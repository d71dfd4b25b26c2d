#!/usr/bin/env python3
"""Prints how many times longer training takes with an option than without it.

Both take turns on the same data; a figure is the median over turns of their ratio. Splits have the
same number of candidates.
"""

import argparse
import pathlib
import statistics
import tempfile

import coppice_program
import datasets
import tables
import workloads

LINEAR = ["--leaf", "linear", "--leaf-regressors", "8"]
# about, work of workloads.py, trees, threads, further settings of both, options, bar
COSTS = [
    ("oblique splits of 3 features", "synthetic", 6, 2, {}, ["--split", "oblique"], 3),
    ("conic splits of 2 features", "synthetic", 6, 2, {}, ["--split", "conic"], 6),
    ("linear leaves, 8 of 20 features", "friedman", 2, 1, {"min_leaf": 20}, LINEAR, 1.3),
    ("alternating forest, classes", "letter", 50, 2, {"max_depth": 20}, ["--method", "adf"], 1.6),
    ("alternating forest, numbers", "friedman", 10, 2, {"max_depth": 10}, ["--method", "arf"], 1.6),
]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1, help="shrinks rows and trees (default 1)")
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program))
    scratch = pathlib.Path(tempfile.gettempdir()) / "coppice-bench"
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch)
    return parser.parse_args()


def seconds(job, options):
    return coppice_program.train_alone({**job, "options": ["--oob", "false", *options]})["seconds"]


def row_of(about, work_name, trees, threads, settings, options, bar, arguments):
    work = workloads.WORKS[work_name]
    data = workloads.data_of(work, arguments.scratch, arguments.scale)
    job = {"task": data.task, "train": data.train, "target": data.target, "seed": 1,
           "trees": workloads.scaled(trees, arguments.scale), "max_features": work.max_features,
           "threads": threads, "program": arguments.program,
           "model": str(arguments.scratch / "costs.coppice"), **settings}
    turns = [(seconds(job, []), seconds(job, options)) for _ in range(arguments.turns)]
    plain, costly = (statistics.median(column) for column in zip(*turns))
    ratio = statistics.median(b / a for a, b in turns)
    return [about, work_name, f"{plain:.2f}", f"{costly:.2f}", f"{ratio:.2f}", f"<= {bar}",
            "yes" if ratio <= bar else "no"]


def main():
    arguments = parse_arguments()
    rows = [["option", "data", "s without", "s with", "times", "bar", "reached"]]
    rows += [row_of(*cost, arguments) for cost in COSTS]
    print(tables.Section(f"What options cost, {arguments.turns} turns", rows).text())


if __name__ == "__main__":
    main()
