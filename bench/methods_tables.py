#!/usr/bin/env python3
"""Errors of methods in stages beside the published ones (doc/results.md).

Grabner 2016: table 4.4 (classification) with the settings of table 4.3, tables 4.8 and 4.9
(regression) with those of table 4.7. There the depth between 0 and 20 is chosen on the test set;
here it is 20 for all. Sets without an official split are cut anew for every run, two thirds to one
(three fifths in the thesis).
"""

import argparse
import statistics
import sys
import tempfile

import datasets
import tables
from processes import finish

SETTINGS = ["--n-estimators", 50, "--bagging", "none", "--max-node-samples", 25]
SETTINGS += ["--split", "axis,difference", "--max-features", 0.5, "--max-depth", 20]
OWN = ["--n-estimators", 50, "--max-depth", 20]  # the program's own defaults
DEFAULT = " (defaults)"

CLASSES = {
    "RF": ["--method", "forest"],
    "ADF tangent": ["--method", "adf", "--loss", "tangent"],
    "ADF logit": ["--method", "adf", "--loss", "logit"],
    "boosted": ["--method", "boosted"],
    "dynamic": ["--method", "dynamic"],
}
NUMBERS = {
    "RF": ["--method", "forest"],
    "ARF": ["--method", "arf"],
    "ARF huber": ["--method", "arf", "--loss", "huber"],
    "boosted": ["--method", "boosted"],
}
# In percent, or the unit of the set.
PUBLISHED = {
    "letter": {"RF": "3.01", "ADF tangent": "2.85"},
    "pendigits": {"RF": "2.91", "ADF tangent": "2.67"},
    "usps": {"RF": "5.73", "ADF tangent": "5.58"},
    "mnist": {"RF": "3.37", "ADF tangent": "3.18"},
    "elevators": {"RF": "3.15", "ARF": "2.76"},
    "ailerons": {"RF": "1.74", "ARF": "1.68"},
    "pol": {"RF": "6.24", "ARF": "6.41"},
    "kin8nm": {"RF": "1.26", "ARF": "1.10"},
    "california_housing": {"RF": "5.53", "ARF": "5.31"},
}
UNITS = {"elevators": 1e3, "ailerons": 1e4, "pol": 1, "kin8nm": 10, "california_housing": 1e-4}
OFFICIAL = {"elevators", "ailerons", "pol", "letter", "pendigits", "usps", "mnist"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sets", default="letter,pendigits,usps,elevators,ailerons,pol,kin8nm")
    parser.add_argument("--program", default=str(datasets.REPOSITORY / "build/release/coppice"))
    return parser.parse_args()


def files_of(name, task, seed, scratch):
    folder = datasets.data_folder() / task
    if name in OFFICIAL:
        return [datasets.existing(folder, f"{name}.{part}.csv") for part in ("train", "test")]
    split = datasets.split_of(name, seed, scratch)
    return [split.train, split.test]


def options_of(name, options, task):
    """Table 4.3 or 4.7 for the methods of the thesis, the program's defaults for the others."""
    if name == "dynamic" or name.endswith(DEFAULT):
        return [*OWN, *options]
    if task == "regression" and name == "boosted":
        return ["--n-estimators", 500, *options]
    criterion = ["--criterion", "entropy"] if task == "classification" else []
    return [*SETTINGS, *criterion, *options]


def error_of(job, files, seed, arguments, scratch):
    model = f"{scratch}/model"
    command = [arguments.program, "train", files[0], "-o", model, "--oob", "false", "--seed", seed]
    command += ["--threads", arguments.threads, "--quiet", "--json", *job]
    seconds = finish(command).json()["train_seconds"]
    answer = finish([arguments.program, "evaluate", model, files[1], "--json"]).json()
    return (100 * answer["error"] if "error" in answer else answer["rmse"]), seconds


def rows_of(name, arguments, scratch):
    task = "regression" if name in UNITS else "classification"
    methods = dict(NUMBERS if name in UNITS else CLASSES)
    methods.update({method + DEFAULT: methods[method] for method in list(methods)[:2]})
    for method, options in methods.items():
        job = ["--task", task, *options_of(method, options, task)]
        runs = [
            error_of(job, files_of(name, task, seed, scratch), seed, arguments, scratch)
            for seed in range(1, arguments.runs + 1)
        ]
        errors = [error * UNITS.get(name, 1) for error, _ in runs]
        spread = f" ± {statistics.stdev(errors):.2f}" if len(errors) > 1 else ""
        seconds = f"{statistics.fmean(time for _, time in runs):.2f}"
        published = PUBLISHED[name].get(method, "")
        yield [name, method, f"{statistics.fmean(errors):.2f}{spread}", published, seconds]


def main():
    arguments = parse_arguments()
    rows = [["set", "method", "error", "published", "seconds of training"]]
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.sets.split(","):
            for row in rows_of(name, arguments, scratch):
                print("  ".join(row), file=sys.stderr)
                rows.append(row)
    print(tables.markdown(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
