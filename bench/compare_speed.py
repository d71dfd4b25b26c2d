#!/usr/bin/env python3
"""Prints training time, test error, memory and model size of coppice, scikit-learn and ranger.

The systems train in alternation, each run in a process of its own; times are medians and leave
out reading the data. This program itself stays small: a child counts its parent's memory.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import datasets
import peers
import tables

TREES = 100
SYNTHETIC = {"rows": 100_000, "held_out": 20_000, "features": 50, "informative": 20, "classes": 10}
WORKLOADS = ("synthetic", "letter")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    listed = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--systems", type=listed, default=list(peers.SYSTEMS))
    parser.add_argument("--workloads", type=listed, default=list(WORKLOADS))
    parser.add_argument("--repeats", type=int, default=3, help="runs per system (default 3)")
    parser.add_argument("--threads", type=int, default=2)
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program), help="the coppice program")
    parser.add_argument("--coppice-options", type=str.split, default=[],
                        help="further options of 'coppice train', in one argument")
    scratch = pathlib.Path(tempfile.gettempdir()) / "coppice-bench"
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch,
                        help="folder that keeps generated data (default %(default)s)")
    parser.add_argument("--markdown", type=pathlib.Path, help="also write the tables to this file")
    arguments = parser.parse_args()
    for chosen, known in ((arguments.systems, peers.SYSTEMS), (arguments.workloads, WORKLOADS)):
        for name in chosen:
            if name not in known:
                parser.error(f"'{name}' is none of {', '.join(known)}")
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    if "coppice" in arguments.systems and not os.access(arguments.program, os.X_OK):
        parser.error(f"{arguments.program}: no such program; build it or give --program")
    return arguments


GENERATE = """
import numpy, sys
from sklearn.datasets import make_classification
train, test, rows, held_out, features, informative, classes = sys.argv[1:]
x, y = make_classification(int(rows) + int(held_out), int(features), n_informative=int(informative),
                           n_classes=int(classes), random_state=1)
table = numpy.hstack([x, y[:, None]]).astype(numpy.float32)
numpy.save(test, table[int(rows):])
numpy.save(train, table[:int(rows)])
"""


def synthetic_files(scratch):
    """make_classification of scikit-learn, seed 1, as float32; the last column is the class."""
    scratch.mkdir(parents=True, exist_ok=True)
    name = "{rows}-{held_out}-{features}-{informative}-{classes}".format(**SYNTHETIC)
    train, test = scratch / f"{name}.train.npy", scratch / f"{name}.test.npy"
    if not train.exists():  # written last
        numbers = [str(SYNTHETIC[key]) for key in SYNTHETIC]
        subprocess.run([sys.executable, "-c", GENERATE, train, test, *numbers], check=True)
    return str(train), str(test)


def job_of(workload, arguments):
    if workload == "letter":
        split = datasets.split_of("letter", 1, arguments.scratch)
        train, test, target, features = split.train, split.test, split.target, split.features
    else:
        train, test = synthetic_files(arguments.scratch)
        features = SYNTHETIC["features"]
        target = features + 1
    return {
        "task": "classification",
        "train": train,
        "test": test,
        "target": target,
        "trees": TREES,
        "max_features": int(features**0.5),
        "threads": arguments.threads,
        "program": arguments.program,
        "options": arguments.coppice_options,
    }


def measure(job, systems, repeats):
    """results[system]: one per repeat; the seed is the number of the repeat."""
    results = {system: [] for system in systems}
    for repeat in range(1, repeats + 1):
        for system in systems:
            result = peers.run({**job, "system": system, "seed": repeat})
            results[system].append(result)
            print(f"{system} run {repeat}: {result['seconds']:.2f} s", file=sys.stderr, flush=True)
    return results


def table_of(results):
    def median(system, field):
        return statistics.median(result[field] for result in results[system])

    rivals = [median(system, "seconds") for system in results if system != "coppice"]
    rows = [["system", "seconds", "/ fastest peer", "error %", "peak MB", "model MB"]]
    for system in results:
        seconds = median(system, "seconds")
        rows.append([
            system,
            f"{seconds:.2f}",
            f"{seconds / min(rivals):.2f}" if rivals else "-",
            f"{100 * median(system, 'error'):.2f}",
            f"{median(system, 'peak_bytes') / 1e6:.0f}",
            f"{median(system, 'model_bytes') / 1e6:.1f}",
        ])
    return rows


def main():
    arguments = parse_arguments()
    sections = []
    for workload in arguments.workloads:
        job = job_of(workload, arguments)
        rows = table_of(measure(job, arguments.systems, arguments.repeats))
        print(f"{workload}, {arguments.threads} threads, median of {arguments.repeats}")
        print(tables.aligned(rows) + "\n")
        sections.append(f"**{workload}**\n\n{tables.markdown(rows)}")
    if arguments.markdown:
        arguments.markdown.write_text("\n".join(sections))


if __name__ == "__main__":
    main()
