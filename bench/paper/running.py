"""Runs the jobs of an experiment. Results are lines of JSON in a file: what is there is not run
again, so that a run can be stopped and taken up."""

import json
import multiprocessing
import pathlib
import sys
import tempfile
from dataclasses import dataclass, replace

from calls import PROGRAM, Caller, datasets, lines_of, without_refinement, write_lines
from experiments import Experiment, Method


def add_run_arguments(parser):
    parser.add_argument("--sets", help="some of them, with commas between")
    parser.add_argument("--methods", help="some of them, with commas between")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--program", default=PROGRAM)


# --- Files ---------------------------------------------------------------------------------------


def cut(path, share, seed, first, second, by=None):
    """Lines of a file into two, `share` of them into the first; of every value of column `by`."""
    import numpy  # of Debian: python3-numpy

    header, *lines = lines_of(path)
    order = numpy.random.RandomState(seed).permutation(len(lines))
    column = header.split(",").index(by) if by else None
    values = [line.split(",")[column] if by else "" for line in lines]
    taken = []
    for value in sorted(set(values)):
        of_value = [row for row in order if values[row] == value]
        taken += of_value[:round(len(of_value) * share)]
    left = set(order) - set(taken)
    for target, rows in ((first, taken), (second, [row for row in order if row in left])):
        write_lines(target, [header] + [lines[row] for row in rows])


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
    if experiment.validated:
        cut(files["train"], 0.8, run, files["most"], files["rest"])
    return files


# --- One job -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    program: str
    experiment: Experiment
    label: str  # of the experiment
    name: str  # of the set
    method_name: str
    method: Method
    value: float
    run: int
    files: dict
    scratch: pathlib.Path

    def caller(self):
        model = self.scratch / f"{multiprocessing.current_process().name}.coppice"
        return Caller(self.program, self.experiment, model)

    def options(self):
        return self.method.options | {self.experiment.option: self.value}

    def result(self, **fields):
        named = {"experiment": self.label, "set": self.name, "method": self.method_name}
        return {**named, "value": self.value, "run": self.run, **fields}


def measure_each(job):
    caller = job.caller()

    def error(train, test):
        report = caller.train(job.files[train], job.options(), job.run).json()
        return report, caller.error(job.files[test])

    report, test = error("train", "test")
    result = {"test": test, "bytes": caller.model.stat().st_size, "nodes": report["nodes"]}
    if job.experiment.train_errors:
        result["train"] = caller.error(job.files["train"])
    if job.experiment.validated:
        result["validation"] = error("most", "rest")[1]
    return [job.result(**result)]


def measure_cuts(job):
    """One forest of the greatest depth."""
    caller = job.caller()

    def errors(train, test):
        caller.train(job.files[train], job.options(), job.run)
        return caller.evaluate(job.files[test], "--by-depth")["error_by_depth"]

    found = {"test": errors("train", "test")}
    if job.experiment.validated:
        found["validation"] = errors("most", "rest")
    return [
        replace(job, value=depth).result(
            **{field: by_depth[min(depth, len(by_depth) - 1)] for field, by_depth in found.items()}
        )
        for depth in job.method.values
    ]


def measure_pruned_on_test(job):
    caller = job.caller()

    def steps(train, test):
        caller.train(job.files[train], without_refinement(job.options()), job.run)
        path = caller.prune(job.files[train], job.files[test], job.options(), job.run)
        return path.json()["steps"]

    path = steps("train", "test")
    best = min(path, key=lambda step: step["error"])
    result = {"test": best["error"], "bytes": best["model_bytes"], "leaves": best["leaves"]}
    if job.experiment.validated:
        result["validation"] = min(step["error"] for step in steps("most", "rest"))
    else:
        result["path"] = [[step["leaves"], step["error"]] for step in path]
    return [job.result(**result)]


MEASURES = {
    "each": measure_each,
    "cuts": measure_cuts,
    "pruned on test": measure_pruned_on_test,
}


def measure(job):
    return MEASURES[job.method.measure](job)


# --- All of them ---------------------------------------------------------------------------------


def known_results(path):
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def chosen(text, all_of_them):
    return text.split(",") if text else list(all_of_them)


def jobs_of(arguments, label, experiment, where):
    """`where`: set, run, files and scratch folder of the jobs."""
    for name in chosen(arguments.methods, experiment.methods):
        method = experiment.methods.get(name)
        if method is None:
            continue
        values = [max(method.values)] if method.measure == "cuts" else method.values
        for value in values:
            yield Job(arguments.program, experiment, label, where["name"], name, method, value,
                      where["run"], where["files"], where["scratch"])


def key(result):
    return tuple(result[field] for field in ("experiment", "set", "method", "value", "run"))


def run_all(arguments, experiments):
    """`experiments`: by label. Sets are those with published errors unless arguments say which."""
    done = {key(result) for result in known_results(arguments.results)}
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(arguments.processes) as pool:
        for run in range(1, arguments.runs + 1):
            for label, experiment in experiments.items():
                for name in chosen(arguments.sets, sorted(experiment.published)):
                    where = {"name": name, "run": run, "scratch": pathlib.Path(folder)}
                    run_set(arguments, (label, experiment), where, pool, done)


def run_set(arguments, labelled, where, pool, done):
    planned = list(jobs_of(arguments, *labelled, where | {"files": {}}))
    jobs = [job for job in planned if key(job.result()) not in done]
    if not jobs:
        return
    files = files_of(labelled[1], where["name"], where["run"], where["scratch"])
    with arguments.results.open("a", encoding="utf-8") as file:
        for results in pool.imap_unordered(measure, [replace(job, files=files) for job in jobs]):
            for result in results:
                print(json.dumps(result), file=file, flush=True)
    print(labelled[0], where["name"], where["run"], len(jobs), file=sys.stderr, flush=True)
