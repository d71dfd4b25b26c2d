#!/usr/bin/env python3
"""Figures 4.1 to 4.16 of Grabner 2016 with our numbers, as SVG (doc/results.md).

A line is the mean over runs, a bar its deviation; crosses are values that tables of the thesis print.

    bench/paper/paper_figures.py figures.jsonl -o doc/figures
    bench/paper/paper_figures.py figures.jsonl -o doc/figures --figures 4.1,4.6 --runs 1
    bench/paper/paper_figures.py figures.jsonl -o doc/figures --draw    # runs nothing
"""

import argparse
import pathlib
import statistics
import sys
from dataclasses import dataclass

import published
from running import add_run_arguments, chosen, known_results, run_all
from svg_chart import Line, Mark, Panel, chart
from sweeps import SWEEPS


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True, help="folder")
    parser.add_argument("--figures", help="some of them, with commas between")
    add_run_arguments(parser)
    parser.add_argument("--draw", action="store_true", help="run nothing, draw what is known")
    return parser.parse_args()


@dataclass(frozen=True)
class Look:
    """Of a panel; `field` is what is drawn of a result."""

    title: str
    x_label: str = "depth D_max"
    logarithmic: bool = False
    highest: float = None  # in the unit of the set: where the y axis is cut off
    marks: tuple = ()
    field: str = "test"


def table_marks(name, *methods, highest=None):
    """The best error of tables 4.8 and 4.9 at its depth."""
    found = []
    for method in methods or published.METHODS:
        depth = published.REGRESSION_DEPTH[name][method]
        if depth is not None and (highest is None or depth <= highest):
            found.append(Mark(method, depth, published.REGRESSION[name][method]))
    return tuple(found)


def grid_marks(by_features):
    """Tables 4.10 and 4.11: over features at 25 samples of a node, or over samples at F / 2."""
    found = []
    for method, grid in published.AILERONS_GRID.items():
        if by_features:
            column = published.NODE_SAMPLES.index(25)
            found += [Mark(method, features, row[column]) for features, row in grid.items()]
        else:
            found += [Mark(method, *pair) for pair in zip(published.NODE_SAMPLES, grid[20])]
    return tuple(found)


_NODES = Mark("RF+GP", 122, published.REGRESSION["elevators"]["RF+GP"])
_KIN = (Mark("RF+GR", 8, published.REGRESSION["kin8nm"]["RF+GR"]),)
_TREES = "number of trees"
_MERGED = "rounds of pruning"
# Label of the sweep -> how it looks. Labels that differ in a letter are panels of one figure.
LOOKS = {
    "4.1": Look("elevators, constant leaves", highest=7, marks=table_marks("elevators")),
    "4.2": Look("elevators, linear leaves", highest=5),
    "4.3": Look("elevators", highest=7, marks=table_marks("elevators", "RF", "ARF+AGR")),
    "4.4": Look("delta_ailerons", highest=3,
                marks=table_marks("delta_ailerons", "RF", "ARF+AGR")),
    "4.5": Look("stock", "minCount: samples to be split", True),
    "4.5b": Look("stock", "minChild: samples of a leaf", True),
    "4.6": Look("cpu_small, depth 5", _TREES, True, highest=8),
    "4.7": Look("ailerons, depth 4, without replacement", "share of the rows"),
    "4.8": Look("ailerons, depth 4, with replacement", "share of the rows"),
    "4.9": Look("ailerons, depth 4", "features per split", marks=grid_marks(True)),
    "4.10": Look("ailerons, depth 4", "samples per split", True, marks=grid_marks(False)),
    "4.11": Look("kin8nm, GR by its cost C", marks=_KIN),
    "4.12": Look("kin8nm, GR by its loss", marks=_KIN),
    "4.13": Look("elevators, depth 12", _MERGED, highest=6, marks=(_NODES,)),
    "4.14": Look("elevators, depth 12, by share of pairs", _MERGED, highest=6),
    "4.15": Look("elevators, depth 12, by strategy", _MERGED, highest=6),
    "4.16": Look("cpu_small, test rows", highest=5,
                 marks=table_marks("cpu_small", "ARF+AGR", "IRRF")),
    "4.16b": Look("cpu_small, training rows", highest=5, field="train"),
}


def sweep_of(label):
    return label if label in SWEEPS else label.rstrip("b")


def mean_point(x, values):
    spread = statistics.stdev(values) if len(values) > 1 else 0
    return x, statistics.fmean(values), spread


def value_points(results, field, unit):
    by_value = {}
    for result in results:
        by_value.setdefault(result["value"], []).append(result[field] * unit)
    return [mean_point(value, by_value[value]) for value in sorted(by_value)]


def path_points(results, unit):
    """The mean error after each round, as far as all runs went."""
    paths = [[error * unit for _, error in result["path"]] for result in results]
    rounds = range(min(map(len, paths)))
    return [mean_point(n, [path[n] for path in paths]) for n in rounds]


def level_points(results, unit, rounds):
    """A method without rounds, as a line across."""
    point = mean_point(0, [result["test"] * unit for result in results])
    return [point, (rounds, *point[1:])]


def panel(label, results):
    look, experiment = LOOKS[label], SWEEPS[sweep_of(label)]
    name = next(iter(experiment.published))
    unit = experiment.unit[name]
    rounds = max((len(r["path"]) - 1 for r in results if "path" in r), default=0)
    lines = []
    for style, method in enumerate(experiment.methods):
        own = [result for result in results if result["method"] == method]
        if not own:
            continue
        if "path" in own[0]:
            points = path_points(own, unit)
        elif rounds:
            points = level_points(own, unit, rounds)
        else:
            points = value_points(own, look.field, unit)
        lines.append(Line(method, points, style))
    scale = "" if unit == 1 else f", times {unit:g}"
    return Panel(look.title, look.x_label, f"RMSE{scale}", lines, list(look.marks),
                 look.logarithmic, look.highest)


def draw(figure, results, folder):
    labels = [label for label in LOOKS if label.rstrip("b") == figure]
    of = {label: [r for r in results if r["experiment"] == sweep_of(label)] for label in labels}
    if not all(of.values()):
        print(f"figure {figure}: no results", file=sys.stderr)
        return
    text = chart([panel(label, of[label]) for label in labels])
    (folder / f"figure_{figure.replace('.', '_')}.svg").write_text(text, encoding="utf-8")


def main():
    arguments = parse_arguments()
    figures = chosen(arguments.figures, sorted({label.rstrip("b") for label in LOOKS}))
    if not arguments.draw:
        wanted = {label: s for label, s in SWEEPS.items() if label.rstrip("b") in figures}
        run_all(arguments, wanted)
    arguments.output.mkdir(parents=True, exist_ok=True)
    results = known_results(arguments.results)
    for figure in figures:
        draw(figure, results, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
