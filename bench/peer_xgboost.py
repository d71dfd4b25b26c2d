"""XGBoost: does one job (JSON, see systems.py) and prints the result as JSON.

One round of `trees` parallel trees is its random forest; with more rounds, `trees` are shared out
among them. Either way it grows as many trees for every class. Only hist is fast enough here.
"""

import json
import os
import sys
import time

import numpy
import peer_tables
import xgboost


def parameters(job, features, classes):
    rounds = job.get("rounds", 1)
    chosen = {
        "tree_method": "hist",
        "num_parallel_tree": max(1, job["trees"] // rounds),
        "max_depth": job.get("max_depth", 0),
        "subsample": 0.63,
        "colsample_bynode": min(1.0, job["max_features"] / features),
        "seed": job["seed"],
        "nthread": job["threads"],
    }
    if rounds == 1:
        chosen.update({"eta": 1, "lambda": 1e-5})  # the defaults of its XGBRFClassifier
    if job["task"] == "classification":
        return {**chosen, "objective": "multi:softprob", "num_class": classes}
    leaf = job.get("min_leaf", 1)  # every row weighs 1
    return {**chosen, "objective": "reg:squarederror", "min_child_weight": leaf}


def as_numbers(x):
    return numpy.ascontiguousarray(x, dtype=numpy.float32)


def train(job):
    """Making the matrix of bins counts as training: no other system is given one."""
    x, y = peer_tables.read(job, "train")
    x, names = as_numbers(x), None
    if job["task"] == "classification":
        names, y = numpy.unique(y, return_inverse=True)
    settings = parameters(job, x.shape[1], 0 if names is None else len(names))
    start = time.perf_counter()
    matrix = xgboost.DMatrix(x, label=y, nthread=job["threads"])
    booster = xgboost.train(settings, matrix, num_boost_round=job.get("rounds", 1))
    seconds = time.perf_counter() - start
    peak = peer_tables.peak_bytes()
    raw = booster.save_raw("ubj")
    with open(job["model"], "wb") as file:
        file.write(raw)
    x, y = peer_tables.read(job, "test")
    answer = booster.inplace_predict(as_numbers(x))
    if names is not None:
        answer = names[answer.argmax(axis=1)]
    return {
        "error": peer_tables.error(job, answer, y),
        "seconds": seconds,
        "peak_bytes": peak,
        "model_bytes": len(raw),
    }


def batch_seconds(booster, x, job):
    """The faster of its two ways. A matrix remembers its answers, so every call gets a new one."""
    by_matrix = peer_tables.median_seconds(
        job["calls"], booster.predict, lambda call: xgboost.DMatrix(x, nthread=job["threads"])
    )
    in_place = peer_tables.median_seconds(job["calls"], lambda call: booster.inplace_predict(x))
    return min(by_matrix, in_place)


def predict(job):
    with open(job["model"], "rb") as file:
        booster = xgboost.Booster({"nthread": job["threads"]}, model_file=bytearray(file.read()))
    x = as_numbers(peer_tables.read(job, "test")[0])
    if job["action"] == "batch":
        seconds = batch_seconds(booster, x, job)
    else:
        seconds = peer_tables.median_row_seconds(x[: job["rows"]], booster.inplace_predict)
    return {
        "seconds": seconds,
        "peak_bytes": peer_tables.peak_bytes(),
        "model_bytes": os.path.getsize(job["model"]),
    }


if __name__ == "__main__":
    JOB = json.loads(sys.argv[1])
    print(json.dumps(train(JOB) if JOB["action"] == "train" else predict(JOB)))
