"""Measures one work: the systems take turns, one process at a time; models that only predict are
trained once and kept."""

import hashlib
import json
import sys

import systems
import workloads
from processes import CommandFailed


class Measurement:
    """results[system]: one result of systems.py per turn; notes: what was left out and why."""

    def __init__(self, work, data):
        self.work = work
        self.data = data
        self.results = {}
        self.notes = []


def measure(work, present, arguments):
    """`present`: the systems that take part. A peer that fails is left out with a note; a failure
    of coppice ends the program."""
    data = workloads.data_of(work, arguments.scratch, arguments.scale)
    measurement = Measurement(work, data)
    make_job = prediction_job if work.kind in ("batch", "single") else training_job
    jobs = {}
    for system in present:
        job = attempt(measurement, system, lambda: make_job(work, data, system, arguments))
        if job:
            jobs[system] = job
    for turn in range(1, arguments.repeats + 1):
        for system in [name for name in jobs if takes_turn(work, name, turn, arguments)]:
            take_turn(measurement, jobs, system, turn, arguments)
    return measurement


def takes_turn(work, system, turn, arguments):
    return turn == 1 or not (arguments.skip_slow and system in work.slow)


def take_turn(measurement, jobs, system, turn, arguments):
    """The seed of a training is the number of the turn."""
    job = {"seed": turn, **jobs[system]}
    result = attempt(measurement, system, lambda: systems.run(job, arguments.scratch))
    if result is None:
        del jobs[system]
        measurement.results.pop(system, None)
        return
    error = {"error": job["model_error"]} if "model_error" in job else {}
    measurement.results.setdefault(system, []).append({**result, **error})
    print(f"{measurement.work.name} {system} run {turn}: {result['seconds']:.6g} s",
          file=sys.stderr, flush=True)


def attempt(measurement, system, action):
    """What action() returns; nothing, and a note, if it is a peer that fails."""
    try:
        return action()
    except CommandFailed as error:
        if system == "coppice":
            raise
        print(f"{measurement.work.name} {system}: {error}", file=sys.stderr, flush=True)
        measurement.notes.append(f"{system} failed: {str(error).splitlines()[-1]}")
        return None


def training_job(work, data, system, arguments):
    return {
        "system": system,
        "action": work.kind if work.kind == "csv" else "train",
        "task": data.task,
        "train": data.train,
        "test": data.test,
        "target": data.target,
        "trees": workloads.scaled(work.trees, arguments.scale),
        "max_features": work.max_features,
        "min_leaf": 1,
        "max_depth": 0,
        **work.settings,
        **work.own_settings.get(system, {}),
        "threads": arguments.threads,
        "program": arguments.program,
        "options": arguments.coppice_options,
    }


def prediction_job(work, data, system, arguments):
    """The job that answers with a kept model, which is trained first if there is none."""
    training = {**training_job(work, data, system, arguments), "action": "train", "seed": 1}
    model, trained = kept_model(training, arguments)
    job = {**training, "action": work.kind, "model": model, "calls": arguments.calls,
           "model_error": trained["error"]}
    if work.kind == "single":
        rows = training.get("rows", workloads.SINGLE_ROWS)
        job.update(test=data.few, threads=1, rows=rows)
    return job


def kept_model(job, arguments):
    """(path, result of training) of the model that this job makes with this version of the system.
    The result is written last: a model with one is whole."""
    version = [systems.version(job["system"], arguments.program),
               systems.source_digest(job["system"])]
    decides = {key: job[key] for key in sorted(job) if key not in ("program", "threads", "rows")}
    digest = hashlib.sha256(json.dumps([decides, version]).encode()).hexdigest()[:16]
    folder = arguments.scratch / "models"
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{job['system']}-{digest}.model"
    result = model.with_suffix(".json")
    if not (model.exists() and result.exists()):
        print(f"training {model.name} once", file=sys.stderr, flush=True)
        trained = systems.run({**job, "model": str(model)}, arguments.scratch)
        result.write_text(json.dumps(trained))
    return str(model), json.loads(result.read_text())
