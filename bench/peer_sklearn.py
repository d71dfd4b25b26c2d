"""scikit-learn: does one job (JSON, see systems.py) and prints the result as JSON."""

import json
import os
import pickle
import sys
import time

import peer_tables


class OneHot:
    """Numbers as they are; one 0/1 column per category of the training rows, missing being one."""

    def __init__(self, train):
        from sklearn.preprocessing import OneHotEncoder

        self.text = [name for name in train.columns if train[name].dtype == object]
        self.numbers = [name for name in train.columns if name not in self.text]
        self.encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        self.encoder.fit(train[self.text].fillna(""))

    def matrix(self, table):
        import numpy

        if table[self.numbers].isna().any(axis=None):
            raise SystemExit("numbers are missing, which scikit-learn 1.2 cannot take")
        numbers = table[self.numbers].to_numpy(float)
        return numpy.hstack([numbers, self.encoder.transform(table[self.text].fillna(""))])


def new_forest(job, features):
    from sklearn import ensemble

    family = "ExtraTrees" if job.get("extra") else "RandomForest"
    kind = "Classifier" if job["task"] == "classification" else "Regressor"
    return getattr(ensemble, family + kind)(
        n_estimators=job["trees"],
        max_features=min(job["max_features"], features),
        min_samples_leaf=job.get("min_leaf", 1),
        max_depth=job.get("max_depth") or None,
        random_state=job["seed"],
        n_jobs=job["threads"],
    )


def train(job):
    """The test rows are read after training: the peak is that of training alone."""
    x, y = peer_tables.read(job, "train")
    one_hot = None if job["train"].endswith(".npy") else OneHot(x)
    x = one_hot.matrix(x) if one_hot else x
    forest = new_forest(job, x.shape[1])
    start = time.perf_counter()
    forest.fit(x, y)
    seconds = time.perf_counter() - start
    peak = peer_tables.peak_bytes()
    with open(job["model"], "wb") as file:
        pickle.dump(forest, file, protocol=pickle.HIGHEST_PROTOCOL)
    x, y = peer_tables.read(job, "test")
    x = one_hot.matrix(x) if one_hot else x
    return {
        "error": peer_tables.error(job, forest.predict(x), y),
        "seconds": seconds,
        "peak_bytes": peak,
        "model_bytes": os.path.getsize(job["model"]),
    }


def load(job):
    with open(job["model"], "rb") as file:
        forest = pickle.load(file)
    forest.n_jobs = job["threads"]
    return forest


def evaluate(job):
    x, y = peer_tables.read(job, "test")
    return {"error": peer_tables.error(job, load(job).predict(x.to_numpy()), y)}


def predict(job):
    forest = load(job)
    x, _ = peer_tables.read(job, "test")
    if job["action"] == "batch":
        seconds = peer_tables.median_seconds(job["calls"], lambda call: forest.predict_proba(x))
    else:
        seconds = peer_tables.median_row_seconds(x[: job["rows"]], forest.predict)
    return {
        "seconds": seconds,
        "peak_bytes": peer_tables.peak_bytes(),
        "model_bytes": os.path.getsize(job["model"]),
    }


ACTIONS = {"train": train, "evaluate": evaluate, "batch": predict, "single": predict}

if __name__ == "__main__":
    JOB = json.loads(sys.argv[1])
    print(json.dumps(ACTIONS[JOB["action"]](JOB)))
