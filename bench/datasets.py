"""The data sets of the comparisons: where their files are and which rows train and test.

Every system is handed the same two files. A set without an official split is cut in two thirds and
one third by a seeded permutation of its lines, so that no value is ever rewritten.
"""

import gzip
import os
import pathlib
from dataclasses import dataclass

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent

# name -> (task, has an official split)
SETS = {
    "letter": ("classification", True),
    "pendigits": ("classification", True),
    "usps": ("classification", True),
    "satimage": ("classification", True),
    "adult": ("classification", True),
    "abalone": ("regression", False),
    "cpu_act": ("regression", False),
    "california_housing": ("regression", False),
    "kin8nm": ("regression", False),
    "pol": ("regression", True),
}
TARGET = {"classification": "label", "regression": "target"}


@dataclass(frozen=True)
class Split:
    """Two files of one set; `target` names a column of both."""

    name: str
    task: str
    target: str
    train: str
    test: str
    features: int

    def max_features(self):
        """The candidates per node that every system is given: floor(sqrt(p)) or floor(p / 3)."""
        if self.task == "classification":
            return max(1, int(self.features**0.5))
        return max(1, self.features // 3)


def data_folder():
    """$COPPICE_DATA, or the folder shared/data beside the repository."""
    given = os.environ.get("COPPICE_DATA")
    return pathlib.Path(given) if given else REPOSITORY.parent / "shared" / "data"


def split_of(name, seed, scratch):
    """The training and test files of `name`; files that must be made go to folder `scratch`."""
    task, official = SETS[name]
    folder = data_folder() / task
    if official:
        train, test = existing(folder, f"{name}.train.csv"), existing(folder, f"{name}.test.csv")
    else:
        train, test = cut(existing(folder, f"{name}.csv"), name, seed, pathlib.Path(scratch))
    return Split(name, task, TARGET[task], str(train), str(test), columns_of(train) - 1)


def existing(folder, name):
    for path in (folder / name, folder / (name + ".gz")):
        if path.exists():
            return path
    raise SystemExit(f"{folder / name}: no such file; set COPPICE_DATA to the folder of data sets")


def open_text(path):
    return gzip.open(path, "rt") if str(path).endswith(".gz") else open(path, encoding="utf-8")


def columns_of(path):
    with open_text(path) as file:
        return len(file.readline().split(","))


def cut(path, name, seed, scratch):
    import numpy

    with open_text(path) as file:
        header, *lines = file.read().splitlines()
    # The legacy generator's stream is frozen: the same rows with every version of numpy.
    order = numpy.random.RandomState(seed).permutation(len(lines))
    border = len(lines) * 2 // 3
    paths = []
    for part, rows in (("train", order[:border]), ("test", order[border:])):
        paths.append(scratch / f"{name}.{seed}.{part}.csv")
        text = "\n".join([header] + [lines[row] for row in rows]) + "\n"
        paths[-1].write_text(text, encoding="utf-8")
    return paths
