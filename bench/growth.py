#!/usr/bin/env python3
"""Prints how training time and peak memory of coppice grow with rows, features, classes, trees and
depth: each quantity doubles step by step while all others stay.

A factor compares a step with the one before it; linear growth has 2.
"""

import argparse
import os
import statistics
import sys
from dataclasses import dataclass, field

import coppice_program
import made_data
import tables
from compare_speed import add_shared_arguments, listed, load_note, reserve
from processes import CommandFailed
from workloads import scaled

FEATURES, CLASSES, ROWS, DRAWN = 50, 10, 20_000, 7


@dataclass(frozen=True)
class Family:
    """One quantity and its steps; the classification rows of the others are ROWS x FEATURES."""

    name: str
    steps: tuple
    about: str
    settings: dict = field(default_factory=dict)


FAMILIES = {
    family.name: family
    for family in (
        Family("rows", tuple(50_000 * 2**step for step in range(6)),
               "regression, 20 features of which 6 drawn, 10 trees, leaves of 5",
               {"task": "regression", "trees": 10, "min_leaf": 5, "max_features": 6}),
        Family("features", (25, 50, 100, 200, 400), "20,000 rows, 10 classes, 50 trees, 7 drawn"),
        Family("classes", (2, 4, 8, 16, 32, 64), "20,000 x 50 numbers, 50 trees, 7 drawn"),
        Family("trees", (25, 50, 100, 200, 400), "20,000 x 50 numbers, 10 classes, 7 drawn"),
        Family("depth", (4, 8, 16, 32), "20,000 x 50 numbers, 10 classes, 50 trees, 7 drawn"),
    )
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0].replace("\n", " "))
    parser.add_argument("--families", type=listed, default=list(FAMILIES),
                        help=f"some of {', '.join(FAMILIES)} (default: all)")
    parser.add_argument("--threads", type=listed, default=["1", "2"],
                        help="numbers of threads, by default 1,2")
    parser.add_argument("--scale", type=float, default=1,
                        help="shrinks rows and trees, e.g. 0.02 for a try (default 1)")
    add_shared_arguments(parser, repeats=1)
    arguments = parser.parse_args()
    for name in arguments.families:
        if name not in FAMILIES:
            parser.error(f"'{name}' is none of {', '.join(FAMILIES)}")
    if not all(number.isdigit() and int(number) > 0 for number in arguments.threads):
        parser.error("--threads must be numbers from 1, divided by commas")
    if not 0 < arguments.scale <= 1 or arguments.repeats < 1:
        parser.error("--scale must be above 0 and at most 1, --repeats at least 1")
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"{arguments.program}: no such program; build it or give --program")
    return arguments


def training_file(family, step, arguments):
    """(path, number of the target column) of the rows of one step."""
    folder = arguments.scratch / "data"
    if family.name == "rows":
        most, features = scaled(family.steps[-1], arguments.scale), 20
        counts = [scaled(count, arguments.scale) for count in family.steps]
        parts = [[str(folder / f"growth-friedman-{count}.npy"), 0, count] for count in counts]
        paths = made_data.files_of(made_data.friedman(parts, most, features))
        return paths[family.steps.index(step)], features + 1
    features = step if family.name == "features" else FEATURES
    classes = step if family.name == "classes" else CLASSES
    rows = scaled(ROWS, arguments.scale, 400)
    path = str(folder / f"growth-{rows}-{features}-{classes}.npy")
    recipe = made_data.classification([[path, 0, rows]], rows, features, classes)
    return made_data.files_of(recipe)[0], features + 1


def job_of(family, step, threads, arguments):
    path, target = training_file(family, step, arguments)
    job = {"task": "classification", "trees": 50, "max_features": DRAWN, "train": path,
           "target": target, "program": arguments.program, "threads": threads,
           "model": str(arguments.scratch / "growth.coppice"), **family.settings}
    if family.name == "trees":
        job["trees"] = step
    job["trees"] = scaled(job["trees"], arguments.scale)
    return {**job, "max_depth": step if family.name == "depth" else 0}


def measure_step(job, repeats):
    """Medians: (training seconds, peak bytes)."""
    runs = [coppice_program.train_alone({**job, "seed": 1}) for _ in range(repeats)]
    return tuple(statistics.median(run[field] for run in runs)
                 for field in ("seconds", "peak_bytes"))


def family_table(family, arguments):
    rows = [[family.name, "threads", "seconds", "factor", "peak MB", "factor"]]
    for threads in arguments.threads:
        before = None
        for step in family.steps:
            now = measure_step(job_of(family, step, threads, arguments), arguments.repeats)
            factors = [f"{a / b:.2f}" for a, b in zip(now, before)] if before else ["-", "-"]
            rows.append([step_text(family, step, arguments.scale), threads, f"{now[0]:.3f}",
                         factors[0], f"{now[1] / 1e6:.0f}", factors[1]])
            print(f"{family.name} {step}, {threads} threads: {now[0]:.3f} s", file=sys.stderr,
                  flush=True)
            before = now
    return rows


def step_text(family, step, scale):
    return f"{scaled(step, scale) if family.name in ('rows', 'trees') else step:,}"


def main():
    arguments = parse_arguments()
    lock = reserve(arguments.scratch)
    note = load_note()
    sections = []
    for name in arguments.families:
        family = FAMILIES[name]
        scale = "" if arguments.scale == 1 else f", scale {arguments.scale:g}"
        title = f"{name}: {family.about}; median of {arguments.repeats}{scale}"
        try:
            rows = family_table(family, arguments)
        except CommandFailed as error:
            raise SystemExit(str(error)) from error
        sections.append(tables.Section(title, rows, [note] if note else []))
        print(sections[-1].text(), flush=True)
        tables.write_markdown(arguments.markdown, sections)
    lock.close()


if __name__ == "__main__":
    main()
