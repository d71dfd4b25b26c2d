#!/usr/bin/env python3
"""Prints the test errors of coppice, scikit-learn and ranger side by side.

All three grow 100 unlimited trees on bootstrap samples with the same number of candidate features
per node, on the same rows. See README.md for what each peer is given.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

import datasets
import systems
import tables
from processes import CommandFailed

TREES = 100
SYSTEMS = ("coppice", "sklearn", "ranger")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    listed = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--systems", type=listed, default=list(SYSTEMS))
    parser.add_argument("--sets", type=listed, default=list(datasets.SETS))
    parser.add_argument("--seeds", type=int, default=5, help="seeds 1 ... N (default 5)")
    parser.add_argument("--threads", type=int, default=2)
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program), help="the coppice program")
    parser.add_argument("--cache", type=pathlib.Path, help="JSON file of results already known")
    parser.add_argument("--markdown", type=pathlib.Path, help="also write the table to this file")
    arguments = parser.parse_args()
    for chosen, known in ((arguments.systems, SYSTEMS), (arguments.sets, datasets.SETS)):
        for name in chosen:
            if name not in known:
                parser.error(f"'{name}' is none of {', '.join(known)}")
    if arguments.seeds < 1:
        parser.error("--seeds must be at least 1")
    if "coppice" in arguments.systems and not os.access(arguments.program, os.X_OK):
        parser.error(f"{arguments.program}: no such program; build it or give --program")
    return arguments


class Cache:
    """Results by everything that decides them; written whole after every new one."""

    def __init__(self, path):
        self.path = path
        self.results = json.loads(path.read_text()) if path and path.exists() else {}

    def result(self, key, compute):
        if key not in self.results:
            self.results[key] = compute()
            self.write()
        return self.results[key]

    def write(self):
        if self.path is None:
            return
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text(json.dumps(self.results, indent=1, sort_keys=True))
        beside.replace(self.path)


def measure(arguments, cache):
    """errors[set][system]: one error per seed, percent or RMSE."""
    versions = {name: systems.version(name, arguments.program) for name in arguments.systems}
    errors = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.sets:
            errors[name] = {system: [] for system in arguments.systems}
            for seed in range(1, arguments.seeds + 1):
                split = datasets.split_of(name, seed, scratch)
                for system in arguments.systems:
                    job = job_of(split, system, seed, arguments)
                    key = f"{system} {versions[system]} {name} seed={seed} {settings(job)}"
                    result = cache.result(key, lambda job=job: systems.run(job))
                    percent = 100 if split.task == "classification" else 1
                    errors[name][system].append(percent * result["error"])
                    print(f"{name} {system} seed {seed}: {errors[name][system][-1]:.6g}",
                          file=sys.stderr, flush=True)
    return errors


def job_of(split, system, seed, arguments):
    return {
        "system": system,
        "action": "train",
        "task": split.task,
        "train": split.train,
        "test": split.test,
        "target": split.target,
        "trees": TREES,
        "max_features": split.max_features(),
        "seed": seed,
        "threads": arguments.threads,
        "program": arguments.program,
    }


def settings(job):
    return f"task={job['task']} trees={job['trees']} max_features={job['max_features']}"


def mean_and_standard_error(values):
    spread = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return statistics.fmean(values), spread


def verdict(summary):
    """'ok' if coppice is no worse than the best peer plus the larger of both standard errors."""
    rivals = [summary[system] for system in summary if system != "coppice"]
    if "coppice" not in summary or not rivals:
        return "-"
    ours, our_spread = summary["coppice"]
    best, best_spread = min(rivals)
    return "ok" if ours <= best + max(our_spread, best_spread) else "WORSE"


def table_of(errors, compared):
    rows = [["set", "error", *compared, "verdict"]]
    for name, of_system in errors.items():
        summary = {system: mean_and_standard_error(of_system[system]) for system in compared}
        percent = datasets.SETS[name][0] == "classification"
        cells = [written(*summary[system], percent) for system in compared]
        rows.append([name, "%" if percent else "RMSE", *cells, verdict(summary)])
    return rows


def written(mean, spread, percent):
    if percent:
        return f"{mean:.2f} +- {spread:.2f}"
    return f"{mean:.4g} +- {spread:.2g}"


def main():
    arguments = parse_arguments()
    try:
        errors = measure(arguments, Cache(arguments.cache))
    except CommandFailed as error:
        raise SystemExit(str(error)) from error
    rows = table_of(errors, arguments.systems)
    print(tables.aligned(rows))
    if arguments.markdown:
        arguments.markdown.write_text(tables.markdown(rows))
    return 1 if any(row[-1] == "WORSE" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
