#!/usr/bin/env python3
"""Tables 4.13 to 4.18 of Grabner 2016 and table 2 of Jiang's notes: sizes, times, strength
(doc/results.md).

Seconds are those of whole processes with one thread, reading the data included. Run nothing else
meanwhile.

    bench/paper/paper_costs.py pruning --sets elevators     # tables 4.13, 4.14
    bench/paper/paper_costs.py strength                     # table 4.15
    bench/paper/paper_costs.py sizes                        # table 4.16
    bench/paper/paper_costs.py times                        # table 4.17
    bench/paper/paper_costs.py parallel                     # table 4.18
    bench/paper/paper_costs.py jiang --sets letter,usps     # Jiang's table 2
"""

import argparse
import functools
import pathlib
import statistics
import sys
import tempfile

import published
from calls import PROGRAM, Caller, lines_of
from experiments import EIGHT, EXPERIMENTS, FOREST, JIANG, MORE_SEEN, SETTINGS
from running import chosen, files_of
from tables import markdown

TREES = SETTINGS["--n-estimators"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--sets", help="some of them, with commas between")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--program", default=PROGRAM)
    return parser.parse_args()


def caller_of(arguments, experiment, folder):
    return Caller(arguments.program, EXPERIMENTS[experiment], pathlib.Path(folder) / "model.coppice")


def files_in(caller, name, run):
    return files_of(caller.experiment, name, run, caller.model.parent)


def shown(numbers, digits=2):
    spread = statistics.stdev(numbers) if len(numbers) > 1 else 0
    return f"{statistics.fmean(numbers):.{digits}f} ± {spread:.{digits}f}"


# --- Tables 4.13 and 4.14 ------------------------------------------------------------------------


def nodes_of(leaves):
    return 2 * leaves - TREES


def pruned_to(caller, files, depth, nodes, run):
    """(nodes, seconds, error) of a forest that is pruned until it has no more nodes than given."""
    grown = caller.train(files["train"], SETTINGS | FOREST | {"--max-depth": depth}, run)
    prune = functools.partial(caller.prune, files["train"], files["test"], EIGHT["RF+GP"], run)
    steps = prune().json()["steps"]
    reached = next(n for n, step in enumerate(steps) if nodes_of(step["leaves"]) <= nodes)
    seconds = grown.seconds + prune(rounds=reached).seconds
    return nodes_of(steps[reached]["leaves"]), seconds, steps[reached]["error"]


def pruning(arguments, folder):
    caller = caller_of(arguments, "regression", folder)
    for name in chosen(arguments.sets, published.PRUNING):
        unit = published.UNIT[name]
        found = {}
        for run in range(1, arguments.runs + 1):
            files = files_in(caller, name, run)
            for method, depth, *_ in published.PRUNING[name]:
                if method == "RF+GR":
                    options = EIGHT[method] | {"--max-depth": depth}
                    done = caller.train(files["train"], options, run)
                    nodes = done.json()["nodes"]
                    row = (nodes, done.seconds, caller.error(files["test"]))
                else:
                    row = pruned_to(caller, files, depth, nodes, run)
                found.setdefault((method, depth), []).append(row)
        rows = [["method", "depth", "nodes", "seconds", "error", "nodes, published", "s", "error"]]
        for method, depth, *theirs in published.PRUNING[name]:
            nodes, seconds, errors = zip(*found[method, depth])
            cells = [shown(nodes, 0), shown(seconds), shown([e * unit for e in errors])]
            rows.append([method, str(depth), *cells, *(f"{number:g}" for number in theirs)])
        print(f"{name}\n\n{markdown(rows)}")


# --- Table 4.15 ----------------------------------------------------------------------------------


def residuals_of_trees(caller, data):
    """A row per tree: what it says less what is true."""
    import numpy  # of Debian: python3-numpy

    answers = caller.beside(".csv")
    caller.finish("predict", caller.model, data, "--per-tree", "-o", answers)
    header, *lines = lines_of(answers)
    trees = [n for n, column in enumerate(header.split(",")) if column.startswith("tree_")]
    cells = [line.split(",") for line in lines]
    said = numpy.array([[float(row[n]) for n in trees] for row in cells])
    header, *lines = lines_of(data)
    place = header.split(",").index("target")
    truth = numpy.array([float(line.split(",")[place]) for line in lines])
    return (said - truth[:, None]).T


def strength(arguments, folder):
    import numpy  # of Debian: python3-numpy

    caller = caller_of(arguments, "regression", folder)
    rows = [["method", "RMSE of the forest", "RMSE of its trees", "correlation", "published"]]
    for method, options in EIGHT.items():
        forest, trees, correlations = [], [], []
        for run in range(1, arguments.runs + 1):
            files = files_in(caller, "auto_mpg", run)
            caller.train(files["train"], options | {"--max-depth": 5}, run)
            residuals = residuals_of_trees(caller, files["test"])
            forest.append(caller.error(files["test"]))
            trees.append(float(numpy.mean(numpy.sqrt(numpy.mean(residuals**2, axis=1)))))
            between = numpy.corrcoef(residuals)[numpy.triu_indices(len(residuals), 1)]
            correlations.append(float(numpy.nanmean(between)))
        theirs = ", ".join(f"{number:.2f}" for number in published.STRENGTH[method])
        rows.append([method, shown(forest), shown(trees), shown(correlations), theirs])
    print(markdown(rows))


# --- Table 4.16 ----------------------------------------------------------------------------------


def sizes(arguments, folder):
    caller = caller_of(arguments, "regression", folder)

    def measured(options, depth):
        errors, kilobytes = [], []
        for run in range(1, arguments.runs + 1):
            files = files_in(caller, "elevators", run)
            caller.train(files["train"], options | {"--max-depth": depth}, run)
            errors.append(caller.error(files["test"]) * published.UNIT["elevators"])
            kilobytes.append(caller.model.stat().st_size / 1000)
        return [str(depth), shown(errors), shown(kilobytes, 0)]

    rows = [["method", "depth", "RMSE (1e-3)", "kB", "published: depth, RMSE, kB"]]
    for method, (depth, error, kilobytes) in published.SIZES.items():
        theirs = f"{depth}, {error:.2f}, {kilobytes}"
        rows.append([method, *measured(EIGHT[method], depth), theirs])
    for method in ("RF+AGR", "ARF+AGR", "IRRF"):
        rows.append([f"{method}, more seen", *measured(EIGHT[method] | MORE_SEEN, 6), ""])
    print(markdown(rows))


# --- Tables 4.17 and 4.18, Jiang's table 2 -------------------------------------------------------


def times(arguments, folder):
    caller = caller_of(arguments, "regression", folder)
    rows = [["method", "seconds", "of RF", "published", "of RF"]]
    data = files_in(caller, "pol", 1)["train"]
    first = None
    for method, theirs in published.TIMES.items():
        options = EIGHT[method] | {"--max-depth": 10}
        seconds = [caller.train(data, options, run).seconds for run in range(1, arguments.runs + 1)]
        first = first or statistics.fmean(seconds)
        shares = statistics.fmean(seconds) / first, theirs / published.TIMES["RF"]
        rows.append([method, shown(seconds), f"{shares[0]:.2f}", f"{theirs:.2f}", f"{shares[1]:.2f}"])
    print(markdown(rows))


def parallel(arguments, folder):
    caller = caller_of(arguments, "regression", folder)
    rows = [["method", "1 thread", "2 threads", "times as fast", "published: 1 core, 4 cores"]]
    data = files_in(caller, "pol", 1)["train"]
    for method, theirs in published.PARALLEL.items():
        options = EIGHT[method] | {"--max-depth": 10}
        seconds = [
            [caller.train(data, options, run, threads).seconds for run in range(1, arguments.runs + 1)]
            for threads in (1, 2)
        ]
        faster = statistics.fmean(seconds[0]) / statistics.fmean(seconds[1])
        published_times = f"{theirs[0]:.2f}, {theirs[1]:.2f}"
        rows.append([method, *map(shown, seconds), f"{faster:.2f}", published_times])
    print(markdown(rows))


def jiang(arguments, folder):
    methods = {"ADF": "ADF tangent", "boosted": "boosted tangent", "RF": "RF"}
    rows = [["set", "ADF, seconds", "boosted / ADF", "published", "RF / ADF", "published"]]
    for name in chosen(arguments.sets, published.JIANG_TIMES):
        caller = caller_of(arguments, "partial" if name in published.PARTIAL else "jiang", folder)
        data = files_in(caller, name, 1)["train"]
        seconds = {}
        for short, method in methods.items():
            options = JIANG[method].options | {"--max-depth": 20}
            runs = range(1, arguments.runs + 1)
            seconds[short] = statistics.fmean(caller.train(data, options, run).seconds for run in runs)
        theirs = published.JIANG_TIMES[name]
        cells = [f"{seconds['ADF']:.2f}"]
        for short in ("boosted", "RF"):
            cells += [f"{seconds[short] / seconds['ADF']:.2f}", f"{theirs[short]:.2f}"]
        rows.append([name, *cells])
    print(markdown(rows))


TABLES = {
    "pruning": pruning,
    "strength": strength,
    "sizes": sizes,
    "times": times,
    "parallel": parallel,
    "jiang": jiang,
}


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as folder:
        TABLES[arguments.table](arguments, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
