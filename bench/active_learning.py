#!/usr/bin/env python3
"""Labels that active learning saves: learning curves of `coppice query --simulate`, every strategy
with and without diversity against random choice, on sets with official test rows.

For N random labels the table gives the error of the passive forest, that of the active one with
N / 2 labels, and the labels with which the active one reaches the passive one's error.
"""

import argparse
import pathlib
import tempfile

from datasets import split_of
from processes import finish

STRATEGIES = ("margin", "entropy", "disagreement")


def curves(program, model, split, arguments, strategy, diversity):
    command = [program, "query", model, split.train, "--simulate", "--test", split.test]
    command += ["--strategy", strategy, "--diversity", diversity, "--start", arguments.start]
    command += ["--batch", arguments.batch, "--batches", arguments.batches]
    command += ["--runs", arguments.runs, "--seed", arguments.seed]
    return finish(command + ["--threads", arguments.threads, "--json"]).json()


def labels_to_reach(curve, level):
    points = list(zip(curve["labels"], curve["active"]))
    for (before, higher), (here, lower) in zip(points, points[1:]):
        if lower <= level:
            return round(before + (here - before) * (higher - level) / (higher - lower))
    return None


def row_of(curve, labels):
    """Passive error with N labels, active error with N / 2, labels that the active one needs."""
    passive = curve["random"][curve["labels"].index(labels)]
    active = curve["active"][curve["labels"].index(labels // 2)]
    return passive, active, labels_to_reach(curve, passive)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/release/coppice")
    parser.add_argument("--sets", nargs="+", default=["pendigits", "satimage"])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--start", type=int, default=50)
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--batches", type=int, default=38)
    parser.add_argument("--labels", type=int, nargs="+", default=[300, 500, 1000], metavar="N")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.sets:
            split = split_of(name, arguments.seed, scratch)
            model = str(pathlib.Path(scratch) / f"{name}.coppice")
            train = [arguments.program, "train", split.train, "--target", split.target]
            finish(train + ["--trees", arguments.trees, "-o", model, "--quiet"])
            print(f"\n{name}, {arguments.trees} trees, mean of {arguments.runs} runs")
            print("| strategy | diversity | N | passive, N labels | active, N / 2 | active needs |")
            print("|---|---|---|---|---|---|")
            for strategy in STRATEGIES:
                for diversity in (0, 1):
                    curve = curves(arguments.program, model, split, arguments, strategy, diversity)
                    for labels in arguments.labels:
                        passive, active, needed = row_of(curve, labels)
                        print(f"| {strategy} | {diversity} | {labels} | {100 * passive:.2f} % "
                              f"| {100 * active:.2f} % | {needed} |", flush=True)


if __name__ == "__main__":
    main()
