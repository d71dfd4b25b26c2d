#!/usr/bin/env python3
"""The tables of Grabner 2016 and of Jiang's notes about errors (doc/results.md).

regression: tables 4.8 and 4.9, 22 sets. criteria: table 4.12. classification: table 4.4; partial:
the same for the two sets of which only a part is at hand. stages: methods without refinement, at
full depth. jiang: table 1, 100 trees.

Every method is trained at several depths on the training rows, and once more on four fifths of them.
The depth that is best on the test rows is what the thesis reports; beside it stands the test error at
the depth that is best on the remaining fifth, which nobody has to know the test rows for.

    bench/paper/paper_tables.py regression --results numbers.jsonl
    bench/paper/paper_tables.py regression --results numbers.jsonl --report
"""

import argparse
import pathlib
import statistics
import sys

from experiments import EXPERIMENTS
from published import CRITERIA, METHODS, REGRESSION_DEVIATION
from running import add_run_arguments, known_results, run_all
from tables import markdown

ON_TEST = " on test"  # ends the names of methods that have seen the test rows


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    add_run_arguments(parser)
    parser.add_argument("--report", action="store_true", help="only print the tables")
    return parser.parse_args()


def mean(numbers):
    return statistics.fmean(numbers)


def deviation(numbers):
    return statistics.stdev(numbers) if len(numbers) > 1 else 0


class Errors:
    """Of one set and method: over runs, by the way the value (the depth) is chosen."""

    def __init__(self, results):
        runs = {run: [r for r in results if r["run"] == run] for run in {r["run"] for r in results}}
        by_value = {}
        for result in results:
            by_value.setdefault(result["value"], []).append(result["test"])
        most = max(len(tests) for tests in by_value.values())
        complete = {value: tests for value, tests in by_value.items() if len(tests) == most}
        self.value = min(complete, key=lambda value: mean(complete[value]))
        self.best = complete[self.value]
        self.honest = [
            min(of_run, key=lambda r: r["validation"])["test"]
            for of_run in runs.values()
            if all("validation" in r for r in of_run)
        ]

    def shown(self, unit):
        spread = f" ± {deviation(self.best) * unit:.2f}" if len(self.best) > 1 else ""
        return f"{mean(self.best) * unit:.2f}{spread} ({self.value})"


def best_shallow_refined(results):
    """The least mean error of a refined forest of depth 6 at most; None if there is none."""
    errors = {}
    for result in results:
        if ("GR" in result["method"] or result["method"] == "IRRF") and result["value"] <= 6:
            errors.setdefault((result["method"], result["value"]), []).append(result["test"])
    return min(map(mean, errors.values()), default=None)


class SetReport:
    """A row of the table, and which bars the set reaches."""

    def __init__(self, experiment, name, results, methods):
        self.unit, own = experiment.unit[name], [r for r in results if r["set"] == name]
        self.errors = {m: Errors(of) for m in methods if (of := [r for r in own if r["method"] == m])}
        seen_nothing = [m for m in self.errors if not m.endswith(ON_TEST)]
        self.best = min(seen_nothing, key=lambda m: mean(self.errors[m].best))
        best = [error * self.unit for error in self.errors[self.best].best]
        theirs_by = min(experiment.published[name], key=experiment.published[name].get)
        theirs = experiment.published[name][theirs_by]
        spread = REGRESSION_DEVIATION.get(name, {}).get(theirs_by, 0)
        self.reached = round(mean(best), 2) <= theirs
        self.overlaps = mean(best) - deviation(best) <= theirs + spread
        deep = [mean(self.errors[m].best) for m in ("RF", "RF own") if m in self.errors]
        refined = best_shallow_refined(own)
        self.shallow = bool(deep and refined and refined <= 1.03 * min(deep))
        honest = [mean(self.errors[m].honest) for m in seen_nothing if self.errors[m].honest]
        cells = [self.errors[m].shown(self.unit) if m in self.errors else "" for m in methods]
        ours = f"{mean(best):.2f} ± {deviation(best):.2f} {self.best}"
        honest = f"{min(honest) * self.unit:.2f}" if honest else ""
        self.cells = [name, *cells, ours, honest, f"{theirs:.2f} {theirs_by}"]


def report(experiment, results):
    """A row per set: all methods, then our best one, the same with honest depths, the published."""
    methods = [name for name in experiment.methods if any(r["method"] == name for r in results)]
    rows = [["set", *methods, "ours, best", "honest depth", "published, best"]]
    sets = sorted({result["set"] for result in results})
    reports = [SetReport(experiment, name, results, methods) for name in sets]
    print(markdown(rows + [of_set.cells for of_set in reports]))
    for sentence, count in (
        ("our best method is no worse than the best published", sum(r.reached for r in reports)),
        ("the same within both deviations", sum(r.overlaps for r in reports)),
        ("a refined forest of depth 6 at most is within 3 % of RF", sum(r.shallow for r in reports)),
    ):
        print(f"{sentence}: {count} of {len(sets)} sets")


def report_criteria(experiment, results):
    """Table 4.12: a row per method, two columns per energy."""
    unit = experiment.unit["elevators"]
    rows = [["method", *(cell for energy in CRITERIA for cell in (energy, "published"))]]
    for place, method in enumerate(METHODS):
        cells = []
        for energy, theirs in CRITERIA.items():
            own = [r for r in results if r["method"] == f"{method}, {energy}"]
            cells += [Errors(own).shown(unit) if own else "", f"{theirs[place]:.2f}"]
        rows.append([method, *cells])
    print(markdown(rows))


def main():
    arguments = parse_arguments()
    experiment = EXPERIMENTS[arguments.experiment]
    if not arguments.report:
        run_all(arguments, {arguments.experiment: experiment})
    results = known_results(arguments.results)
    own = [r for r in results if r["experiment"] == arguments.experiment]
    (report_criteria if arguments.experiment == "criteria" else report)(experiment, own)
    return 0


if __name__ == "__main__":
    sys.exit(main())
