"""Coppice as its users call it: the program, file by file. Jobs and results: see systems.py."""

import os

from processes import finish


def train_command(job):
    command = [job["program"], "train", job["train"], "--target", job["target"]]
    command += ["--task", job["task"], "-o", job["model"], "--n-estimators", job["trees"]]
    command += ["--max-features", job["max_features"], "--seed", job["seed"]]
    command += ["--min-samples-leaf", job.get("min_leaf", 1)]
    if job.get("max_depth"):
        command += ["--max-depth", job["max_depth"]]
    if job.get("extra"):
        command += ["--threshold", "random", "--bagging", "none"]
    command += ["--threads", job["threads"], *job.get("options", [])]
    return command + ["--quiet", "--json"]


def train_alone(job, whole_process=False):
    """The result without `error`; the time is that of training, or of the whole process."""
    done = finish(train_command(job))
    return {
        "seconds": done.seconds if whole_process else done.json()["train_seconds"],
        "peak_bytes": done.peak_bytes,
        "model_bytes": os.path.getsize(job["model"]),
    }


def train(job):
    return {**train_alone(job, job["action"] == "csv"), "error": error_of(job)}


def error_of(job):
    answer = finish([job["program"], "evaluate", job["model"], job["test"], "--json"]).json()
    return answer["error"] if job["task"] == "classification" else answer["rmse"]


def predict(job):
    """Answers in seconds: of the batch, or of one row. `coppice bench` runs all its engines one
    after the other, and its peak memory is theirs; the time is that of the engine it would take."""
    command = [job["program"], "bench", job["model"], job["test"], "--repeats", job["calls"]]
    done = finish(command + ["--threads", job["threads"], "--quiet", "--json"])
    batch_seconds, row_seconds = bench_figures(done.json())
    return {
        "seconds": batch_seconds if job["action"] == "batch" else row_seconds,
        "peak_bytes": done.peak_bytes,
        "model_bytes": os.path.getsize(job["model"]),
    }


def bench_figures(report):
    """(median seconds of the batch, median seconds of a single row) of `coppice bench --json`."""
    engines = {engine["engine"]: engine for engine in report["engines"]}
    batch, single = engines[report["batch_engine"]], engines[report["single_row_engine"]]
    return (
        report["rows"] / batch["batch_rows_per_second_median"],
        single["single_row_microseconds"]["p50"] / 1e6,
    )
