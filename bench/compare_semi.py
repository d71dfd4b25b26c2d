#!/usr/bin/env python3
"""Few labels, many rows: `coppice train --task semi-supervised` beside scikit-learn's LabelSpreading
and a supervised forest that sees the labelled rows only.

Every draw takes as many labels of each class; errors are those of the rows without a label, means
over the draws. LabelSpreading is given the best of several kernel widths, by the error itself: its
figure is a bound on what a careful user could reach. Needs scikit-learn.
"""

import argparse
import csv
import pathlib
import tempfile

import numpy
from sklearn.semi_supervised import LabelSpreading

from datasets import open_text, split_of
from processes import finish

GAMMAS = (2, 20, 50, 200, 800)
NEIGHBOURS = (5, 10, 15)
MOST_ROWS_OF_RBF = 2000  # its matrix is full: minutes and gigabytes for more
CASES = (("arms", 8), ("pendigits", 10), ("pendigits", 50), ("pendigits", 100), ("usps", 100))


def table(path, target):
    with open_text(path) as file:
        header, *rows = csv.reader(file)
    at = header.index(target)
    labels = numpy.array([row[at] for row in rows])
    features = numpy.array([row[:at] + row[at + 1:] for row in rows], dtype=float)
    return header[:at] + header[at + 1:], features, labels


def load(name, program, scratch):
    if name != "arms":
        split = split_of(name, 1, scratch)
        return table(split.train, split.target)
    path = pathlib.Path(scratch) / "arms.csv"
    finish([program, "generate", "arms", "--classes", 4, "--rows", 1000, "--noise", 0.02,
            "-o", path])
    return table(path, "label")


def draw(labels, count, seed):
    """Row numbers: as many of each class, in all `count`."""
    random = numpy.random.RandomState(seed)
    classes = numpy.unique(labels)
    each = count // len(classes)
    return numpy.concatenate(
        [random.choice(numpy.flatnonzero(labels == name), each, replace=False) for name in classes]
    )


def write(path, names, features, labels):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "label"])
        writer.writerows([*map(repr, row), label] for row, label in zip(features.tolist(), labels))


def completed(program, options, data, scratch, train):
    """Labels of all rows of `data` by a forest trained on `train`, and its training seconds."""
    model = pathlib.Path(scratch) / "forest.coppice"
    done = finish([program, "train", train, "--target", "label", "--categorical", "label",
                   *options, "-o", model, "--json"])
    answers = pathlib.Path(scratch) / "answers.csv"
    finish([program, "predict", model, data, "--no-probabilities", "-o", answers, "--quiet"])
    with open(answers, encoding="utf-8") as file:
        return numpy.array([row["prediction"] for row in csv.DictReader(file)]), done


def best_spreading(features, labels, known):
    scaled = (features - features.mean(0)) / numpy.where(features.std(0) > 0, features.std(0), 1)
    names, codes = numpy.unique(labels, return_inverse=True)
    seen = numpy.full(len(labels), -1)
    seen[known] = codes[known]
    hidden = seen < 0
    errors = []
    small = len(labels) <= MOST_ROWS_OF_RBF
    kernels = [dict(kernel="knn", n_neighbors=k) for k in NEIGHBOURS]
    kernels += [dict(kernel="rbf", gamma=gamma / features.shape[1]) for gamma in GAMMAS if small]
    for kernel in kernels:
        try:
            fitted = LabelSpreading(max_iter=200, tol=1e-6, **kernel).fit(scaled, seen)
        except ValueError:
            continue
        errors.append(numpy.mean(fitted.transduction_[hidden] != codes[hidden]))
    return min(errors)


def one_draw(program, options, case, seed, scratch):
    names, features, labels = case["data"]
    known = draw(labels, case["labels"], seed)
    hidden = numpy.ones(len(labels), dtype=bool)
    hidden[known] = False
    few, part = (pathlib.Path(scratch) / name for name in ("few.csv", "part.csv"))
    write(few, names, features, numpy.where(hidden, "", labels))
    write(part, names, features[known], labels[known])
    plain = ["--trees", case["trees"], "--seed", seed]
    ours, _ = completed(program, ["--task", "semi-supervised", *plain, *options], few, scratch, few)
    supervised, _ = completed(program, plain, few, scratch, part)
    return {
        "ours": numpy.mean(ours[hidden] != labels[hidden]),
        "supervised": numpy.mean(supervised[hidden] != labels[hidden]),
        "spreading": best_spreading(features, labels, known) if case["peer"] else float("nan"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/release/coppice")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--cases", nargs="+", help="such as pendigits:50")
    parser.add_argument("--no-peer", action="store_true", help="without LabelSpreading")
    parser.add_argument("--options", default="", help="more options of train, as one word")
    arguments = parser.parse_args()
    cases = CASES
    if arguments.cases:
        cases = [(name, int(count)) for name, count in (c.split(":") for c in arguments.cases)]
    print("| set | labels | semi-supervised forest | LabelSpreading, best kernel | supervised |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name, count in cases:
            case = {"data": load(name, arguments.program, scratch), "labels": count,
                    "trees": arguments.trees, "peer": not arguments.no_peer}
            draws = [one_draw(arguments.program, arguments.options.split(), case, seed, scratch)
                     for seed in range(1, arguments.draws + 1)]
            means = {key: 100 * numpy.mean([d[key] for d in draws]) for key in draws[0]}
            print(f"| {name} | {count} | {means['ours']:.2f} % | {means['spreading']:.2f} % "
                  f"| {means['supervised']:.2f} % |", flush=True)


if __name__ == "__main__":
    main()
