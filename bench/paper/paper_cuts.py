#!/usr/bin/env python3
"""Small sets of tables 4.8 and 4.9: the thesis has one cut of each, and its errors depend on it.

Of many cuts, those are taken on which our plain forest has the error that is published for it, within
`--near`; beside the published best stands the best of ours on them.

    bench/paper/paper_tables.py cuts --runs 100 --results cuts.jsonl
    bench/paper/paper_cuts.py cuts.jsonl
"""

import argparse
import pathlib
import sys

import published
from paper_tables import ON_TEST, deviation, mean
from running import known_results
from tables import markdown


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--near", type=float, default=0.1, help="share of the published error (0.1)")
    return parser.parse_args()


def errors_by_method(results, unit):
    """(method, value) -> run -> error."""
    found = {}
    for result in results:
        errors = found.setdefault((result["method"], result["value"]), {})
        errors[result["run"]] = result["test"] * unit
    return found


def least(errors, runs):
    """The method and value with the least mean error over the runs, and the errors."""
    best = min(errors, key=lambda pair: mean([errors[pair][run] for run in runs]))
    return best, [errors[best][run] for run in runs]


def named(best):
    (method, value), errors = best
    return f"{mean(errors):.2f} ± {deviation(errors):.2f} {method} ({value})"


def row_of(name, results, near):
    errors = errors_by_method(results, published.UNIT[name])
    unseen = {pair: e for pair, e in errors.items() if not pair[0].endswith(ON_TEST)}
    runs = sorted(set.intersection(*(set(of_runs) for of_runs in errors.values())))
    _, plain = least({pair: e for pair, e in errors.items() if pair[0] == "RF"}, runs)
    theirs = published.REGRESSION[name]
    close = [run for run, error in zip(runs, plain) if abs(error / theirs["RF"] - 1) <= near]
    by = min(theirs, key=theirs.get)
    spread = published.REGRESSION_DEVIATION[name][by]
    cells = [name, f"{mean(plain):.2f} ± {deviation(plain):.2f}", f"{min(plain):.2f}"]
    cells += [f"{theirs['RF']:.2f}", named(least(unseen, runs)), str(len(close))]
    cells.append(named(least(unseen, close)) if close else "")
    return [*cells, f"{theirs[by]:.2f} ± {spread:.2f} {by}"]


def main():
    arguments = parse_arguments()
    results = [r for r in known_results(arguments.results) if r["experiment"] == "cuts"]
    rows = [["set", "RF", "least RF", "published RF", "best of ours", "cuts near published RF",
             "best of ours on them", "best published"]]
    for name in sorted({result["set"] for result in results}):
        own = [result for result in results if result["set"] == name]
        rows.append(row_of(name, own, arguments.near))
    print(markdown(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
