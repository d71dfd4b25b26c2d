#!/usr/bin/env python3
"""Tables 6.1 and 6.4 of Einfalt 2014: mean squared errors of constant and linear leaves.

Housing in parts of 90 and 10 %, abalone of 75 and 25 %, random partitions; scikit-learn's forest
is trained on the same partitions. The recipes hold his settings (doc/recipes.md). Runs under a
Python that has numpy and scikit-learn.
"""

import argparse
import csv
import pathlib
import statistics
import sys
import tempfile
import time

import numpy
from sklearn.ensemble import RandomForestRegressor

import datasets
import tables
from processes import finish

SETS = {"housing": 0.9, "abalone": 0.75}  # share of the training rows
THESIS = {"housing": (9.43, 11.35, 13.04), "abalone": (4.73, 4.60, 4.56)}  # SO, CR, SK


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partitions", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program))
    return parser.parse_args()


def rows_of(name):
    path = datasets.data_folder() / "regression" / f"{name}.csv"
    with open(path, encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def partition(rows, share, seed):
    order = numpy.random.RandomState(seed).permutation(len(rows))
    cut = int(share * len(rows))
    return [rows[i] for i in order[:cut]], [rows[i] for i in order[cut:]]


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return str(path)


def ours(recipe, train, test, arguments, folder):
    model = str(folder / "model")
    command = [arguments.program, "train", train, "--target", "target", "--task", "regression"]
    command += ["--recipe", recipe, "--oob", "false", "-o", model, "--threads", arguments.threads]
    done = finish([*command, "--quiet", "--json"]).json()
    answer = finish([arguments.program, "evaluate", model, test, "--json"]).json()
    return answer["rmse"] ** 2, done["train_seconds"]


def numbers(rows):
    """Categories, if there are any, as 0 and 1 of each."""
    columns = []
    for column in list(zip(*rows))[:-1]:
        try:
            columns.append([float(value) for value in column])
        except ValueError:
            columns += [[float(value == level) for value in column] for level in ("F", "I", "M")]
    return numpy.array(columns).T, numpy.array([float(row[-1]) for row in rows])


def peer(train, test, threads):
    (x, y), (unseen, truth) = numbers(train), numbers(test)
    forest = RandomForestRegressor(100, max_depth=12, min_samples_leaf=4, max_features=4,
                                   n_jobs=threads, random_state=1)
    start = time.perf_counter()
    forest.fit(x, y)
    seconds = time.perf_counter() - start
    return float(numpy.mean((forest.predict(unseen) - truth) ** 2)), seconds


def measure(name, arguments):
    header, rows = rows_of(name)
    results = {"SO": [], "CR": [], "scikit-learn": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for seed in range(arguments.partitions):
            train, test = partition(rows, SETS[name], seed)
            files = write(folder / "train.csv", header, train), write(folder / "t.csv", header, test)
            results["SO"].append(ours("einfalt-so", *files, arguments, folder))
            results["CR"].append(ours("einfalt-cr", *files, arguments, folder))
            results["scikit-learn"].append(peer(train, test, arguments.threads))
    return {forest: tuple(map(statistics.fmean, zip(*pairs))) for forest, pairs in results.items()}


def main():
    arguments = parse_arguments()
    rows = [["set", "forest", "MSE", "in the thesis", "seconds of training"]]
    for name in SETS:
        for (forest, (error, seconds)), thesis in zip(measure(name, arguments).items(),
                                                      THESIS[name]):
            rows.append([name, forest, f"{error:.2f}", f"{thesis}", f"{seconds:.3f}"])
    print(tables.aligned(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
