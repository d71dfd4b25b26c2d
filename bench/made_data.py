"""Data that the workloads need and that no file holds yet: made once, kept in a folder.

files_of() is for programs; run as a program, this file makes the files of one recipe (JSON), so
that the caller never holds the data. A recipe's parts are [path, first row, last row + 1]; .npy
parts are float32 with the target in the last column, .csv parts have the same values as text.
"""

import itertools
import json
import os
import pathlib
import sys

import datasets
from processes import finish


def files_of(recipe):
    """The paths of the recipe's parts; makes the ones that are not there."""
    paths = [path for path, _, _ in recipe["parts"]]
    for path in paths:
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    if not all(os.path.exists(path) for path in paths):
        print(f"making {', '.join(map(os.path.basename, paths))}", file=sys.stderr, flush=True)
        finish([sys.executable, __file__, json.dumps(recipe)])
    return paths


def classification(parts, rows, features, classes, informative=20):
    """make_classification of scikit-learn, seed 1."""
    return {"kind": "classification", "parts": parts, "rows": rows, "features": features,
            "classes": classes, "informative": informative}


def friedman(parts, rows, features=20):
    """make_friedman1 of scikit-learn with noise 1, seed 1."""
    return {"kind": "friedman", "parts": parts, "rows": rows, "features": features}


def csv_table(path, source, target, rows):
    """The first rows of a CSV file of numbers; the column `target` becomes the last."""
    return {"kind": "csv_table", "parts": [[path, 0, rows]], "source": str(source),
            "target": target}


def first_lines(source, rows, path):
    """The heading and the first rows of a text file, in a new file."""
    with datasets.open_text(source) as file:
        lines = list(itertools.islice(file, rows + 1))
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text("".join(lines), encoding="utf-8")
    return str(path)


# --- in a process of its own --------------------------------------------------------------------


def table_of(recipe):
    import numpy

    if recipe["kind"] == "csv_table":
        import pandas

        table = pandas.read_csv(recipe["source"], nrows=recipe["parts"][0][2])
        y = table.pop(recipe["target"])
        return numpy.column_stack([table.to_numpy("float32"), y.to_numpy("float32")])
    from sklearn.datasets import make_classification, make_friedman1

    if recipe["kind"] == "friedman":
        x, y = make_friedman1(recipe["rows"], recipe["features"], noise=1.0, random_state=1)
    else:
        x, y = make_classification(
            recipe["rows"], recipe["features"], n_informative=recipe["informative"],
            n_classes=recipe["classes"], random_state=1)
    return numpy.column_stack([x, y]).astype(numpy.float32)


def save(table, path):
    """Under another name first: a file that is there is whole."""
    beside = f"{path}.new{pathlib.Path(path).suffix}"
    if path.endswith(".npy"):
        import numpy

        numpy.save(beside, numpy.ascontiguousarray(table))  # not all peers read other orders
    else:
        import pandas

        names = [f"x{column}" for column in range(1, table.shape[1])] + ["target"]
        pandas.DataFrame(table, columns=names).to_csv(beside, index=False)
    os.replace(beside, path)


def make(recipe):
    table = table_of(recipe)
    for path, first, last in recipe["parts"]:
        save(table[first:last], path)


if __name__ == "__main__":
    make(json.loads(sys.argv[1]))
