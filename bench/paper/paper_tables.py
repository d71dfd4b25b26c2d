#!/usr/bin/env python3
"""The experiments of Grabner 2016 and of Jiang's notes on tabular data (doc/results.md).

regression: tables 4.8 and 4.9, 22 sets. classification: table 4.4. stages: its methods
without refinement, at full depth. jiang: table 1, 100 trees.

Every method is trained at several depths on the training rows, and once more on four fifths of them.
The depth that is best on the test rows is what the thesis reports; beside it stands the test error at
the depth that is best on the remaining fifth, which nobody has to know the test rows for. Results are
kept in a file of lines and used again, so that a run can be stopped and taken up.

    bench/paper/paper_tables.py regression --results numbers.jsonl
    bench/paper/paper_tables.py regression --results numbers.jsonl --report
"""

import argparse
import json
import multiprocessing
import pathlib
import statistics
import sys
import tempfile
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import datasets  # noqa: E402
from experiments import EXPERIMENTS  # noqa: E402
from processes import finish  # noqa: E402
from tables import markdown  # noqa: E402

def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--sets", help="some of them, with commas between")
    parser.add_argument("--methods", help="some of them, with commas between")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--program", default=str(datasets.REPOSITORY / "build/release/coppice"))
    parser.add_argument("--report", action="store_true", help="only print the tables")
    return parser.parse_args()


def cut(path, share, seed, first, second, by=None):
    """Lines of a file into two, `share` of them into the first; of every value of column `by`."""
    import numpy  # of Debian: python3-numpy

    with datasets.open_text(path) as file:
        header, *lines = file.read().splitlines()
    order = numpy.random.RandomState(seed).permutation(len(lines))
    column = header.split(",").index(by) if by else None
    values = [line.split(",")[column] if by else "" for line in lines]
    taken = []
    for value in sorted(set(values)):
        of_value = [row for row in order if values[row] == value]
        taken += of_value[:round(len(of_value) * share)]
    left = set(order) - set(taken)
    for target, rows in ((first, taken), (second, [row for row in order if row in left])):
        text = "\n".join([header] + [lines[row] for row in rows]) + "\n"
        target.write_text(text, encoding="utf-8")


def files_of(experiment, name, run, scratch):
    """Training and test file, and the training file cut in four fifths and one."""
    folder = datasets.data_folder() / experiment.task
    files = {part: scratch / f"{name}.{run}.{part}.csv" for part in ("train", "test", "most", "rest")}
    if name in experiment.official:
        files["train"] = datasets.existing(folder, f"{name}.train.csv")
        files["test"] = datasets.existing(folder, f"{name}.test.csv")
    else:
        path = datasets.existing(folder, f"{name}.csv")
        by = experiment.target() if experiment.task == "classification" else None
        cut(path, experiment.train_share, run, files["train"], files["test"], by)
    cut(files["train"], 0.8, run, files["most"], files["rest"])
    return files


def error_and_bytes(job, train, test):
    """Of a model trained on one file and tested on another."""
    experiment = EXPERIMENTS[job.experiment]
    model = job.scratch / f"{multiprocessing.current_process().name}.coppice"
    command = [job.program, "train", train, "-o", model, "--task", experiment.task, "--oob", "false"]
    command += ["--target", experiment.target(), "--seed", job.run, "--threads", 1, "--quiet"]
    command += [*experiment.methods[job.method][0], "--max-depth", job.depth]
    finish(command)
    answer = finish([job.program, "evaluate", model, test, "--json"]).json()
    return answer[experiment.metric], model.stat().st_size


@dataclass(frozen=True)
class Job:
    program: str
    experiment: str
    name: str
    method: str
    depth: int
    run: int
    files: dict
    scratch: pathlib.Path


def measure(job):
    error, size = error_and_bytes(job, job.files["train"], job.files["test"])
    honest, _ = error_and_bytes(job, job.files["most"], job.files["rest"])
    result = {"set": job.name, "method": job.method, "depth": job.depth, "run": job.run}
    return {**result, "test": error, "validation": honest, "bytes": size}


def known_results(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def key(result):
    return result["set"], result["method"], result["depth"], result["run"]


def chosen(text, all_of_them):
    return text.split(",") if text else list(all_of_them)


def run_all(arguments):
    experiment = EXPERIMENTS[arguments.experiment]
    done = {key(result) for result in known_results(arguments.results)}
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(arguments.processes) as pool:
        scratch = pathlib.Path(folder)
        for run in range(1, arguments.runs + 1):
            for name in chosen(arguments.sets, sorted(experiment.published)):
                files = files_of(experiment, name, run, scratch)
                jobs = [
                    Job(arguments.program, arguments.experiment, name, method, depth, run, files,
                        scratch)
                    for method in chosen(arguments.methods, experiment.methods)
                    for depth in experiment.methods[method][1]
                    if (name, method, depth, run) not in done
                ]
                with arguments.results.open("a", encoding="utf-8") as file:
                    for result in pool.imap_unordered(measure, jobs):
                        print(json.dumps(result), file=file, flush=True)
                print(name, run, len(jobs), file=sys.stderr)


class Errors:
    """Of one set and method: mean and deviation over runs, by the way the depth is chosen."""

    def __init__(self, results):
        depths = sorted({result["depth"] for result in results})
        runs = {run: [r for r in results if r["run"] == run] for run in {r["run"] for r in results}}

        def mean(field, depth):
            return statistics.fmean(r[field] for r in results if r["depth"] == depth)

        self.depth = min(depths, key=lambda depth: mean("test", depth))
        self.best = [r["test"] for r in results if r["depth"] == self.depth]
        self.bytes = statistics.fmean(r["bytes"] for r in results if r["depth"] == self.depth)
        self.honest = [min(of_run, key=lambda r: r["validation"])["test"] for of_run in runs.values()]

    def shown(self, unit):
        spread = statistics.stdev(self.best) * unit if len(self.best) > 1 else 0
        return f"{statistics.fmean(self.best) * unit:.2f} ± {spread:.2f} ({self.depth})"


def mean(numbers):
    return statistics.fmean(numbers)


def best_shallow_refined(results):
    """The least mean error of a refined forest of depth 6 at most; None if there is none."""
    errors = {}
    for result in results:
        if ("GR" in result["method"] or result["method"] == "IRRF") and result["depth"] <= 6:
            errors.setdefault((result["method"], result["depth"]), []).append(result["test"])
    return min(map(mean, errors.values()), default=None)


def report(experiment, results):
    """A row per set: all methods, then our best one, the same with honest depths, the published."""
    methods = [name for name in experiment.methods if any(r["method"] == name for r in results)]
    rows = [["set", *methods, "ours, best", "honest depth", "published, best"]]
    reached = shallow = 0
    sets = sorted({result["set"] for result in results})
    for name in sets:
        unit, own = experiment.unit[name], [r for r in results if r["set"] == name]
        errors = {m: Errors(of) for m in methods if (of := [r for r in own if r["method"] == m])}
        best = min(errors, key=lambda m: mean(errors[m].best))
        ours = round(mean(errors[best].best) * unit, 2)
        honest = min(mean(of.honest) for of in errors.values()) * unit
        theirs = min(experiment.published[name].values())
        reached += ours <= theirs
        forest = min((mean(errors[m].best) for m in ("RF", "RF own") if m in errors), default=None)
        refined = best_shallow_refined(own)
        shallow += bool(forest and refined and refined <= 1.03 * forest)
        cells = [errors[m].shown(unit) if m in errors else "" for m in methods]
        rows.append([name, *cells, f"{ours:.2f} {best}", f"{honest:.2f}", f"{theirs:.2f}"])
    print(markdown(rows))
    print(f"our best method is no worse than the best published on {reached} of {len(sets)} sets")
    print(f"a refined forest of depth 6 at most is within 3 % of RF on {shallow} of {len(sets)} sets")


def main():
    arguments = parse_arguments()
    if not arguments.report:
        run_all(arguments)
    report(EXPERIMENTS[arguments.experiment], known_results(arguments.results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
