"""Trains one system on one pair of files, in a process of its own, and says how it did.

run(job) takes and returns plain dictionaries. Job: system, task, train, test, target (a column name
or, for .npy, its number from 1), trees, max_features, seed, threads, program, options (of coppice).
Result: error (misclassified share, or RMSE), seconds (of training alone), peak_bytes (of the
process that trains, up to the end of training), model_bytes.
"""

import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
SYSTEMS = ("coppice", "sklearn", "ranger")


def run(job):
    if job["system"] == "coppice":
        return run_coppice(job)
    if job["system"] == "sklearn":
        return run_child([sys.executable, __file__], job)
    return run_child(["Rscript", str(FOLDER / "peers_ranger.R")], job)


def version(system, program):
    """What results depend on: of coppice the program itself, since its number changes rarely."""
    if system == "coppice":
        import hashlib

        return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]
    if system == "sklearn":
        return output_of([sys.executable, "-c", "import sklearn; print(sklearn.__version__)"])
    return output_of(["Rscript", "-e", 'cat(format(packageVersion("ranger")))'])


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\nfailed: {done.stderr.strip()}")
    return done.stdout.strip()


def run_child(command, job):
    return json.loads(output_of(command + [json.dumps(job)]))


# --- coppice: called as a user would ------------------------------------------------------------


def run_coppice(job):
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.coppice")
        train = [job["program"], "train", job["train"], "--target", str(job["target"])]
        train += ["--task", job["task"], "-o", model, "--n-estimators", str(job["trees"])]
        train += ["--max-features", str(job["max_features"]), "--seed", str(job["seed"])]
        train += ["--threads", str(job["threads"]), *job.get("options", [])]
        report, peak = json_and_peak(train + ["--quiet", "--json"])
        answer = json.loads(output_of([job["program"], "evaluate", model, job["test"], "--json"]))
        return {
            "error": answer["error"] if job["task"] == "classification" else answer["rmse"],
            "seconds": report["train_seconds"],
            "peak_bytes": peak,
            "model_bytes": os.path.getsize(model),
        }


def json_and_peak(command):
    """The JSON that the command prints, and the peak memory of its process."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\nfailed: {err.read().decode().strip()}")
        return json.loads(out.read()), usage.ru_maxrss * 1024


# --- scikit-learn: this file, run as a program --------------------------------------------------


def read_npy(path, target):
    import numpy

    table = numpy.load(path)
    column = int(target) - 1
    return numpy.delete(table, column, axis=1), table[:, column]


def read_csv(job, part):
    import pandas

    kinds = {job["target"]: str} if job["task"] == "classification" else {}
    table = pandas.read_csv(job[part], dtype=kinds, keep_default_na=False, na_values=[""])
    y = table.pop(job["target"]).to_numpy()
    return table, y


def one_hot(train, test):
    """Numbers as they are; one 0/1 column per category of `train`, missing being a category."""
    import numpy
    from sklearn.preprocessing import OneHotEncoder

    text = [name for name in train.columns if train[name].dtype == object]
    numbers = [name for name in train.columns if name not in text]
    if train[numbers].isna().any(axis=None) or test[numbers].isna().any(axis=None):
        raise SystemExit("a numeric column has missing values, which scikit-learn 1.2 cannot take")
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    encoder.fit(train[text].fillna(""))
    return [
        numpy.hstack([table[numbers].to_numpy(float), encoder.transform(table[text].fillna(""))])
        for table in (train, test)
    ]


def fit_sklearn(job, x, y):
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestClassifier if job["task"] == "classification" else RandomForestRegressor
    forest = kind(
        n_estimators=job["trees"],
        max_features=min(job["max_features"], x.shape[1]),
        random_state=job["seed"],
        n_jobs=job["threads"],
    )
    start = time.perf_counter()
    forest.fit(x, y)
    return forest, time.perf_counter() - start


def peak_bytes():
    """The peak of this process since it began to run this program."""
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) * 1024


def pickled_bytes(value):
    with tempfile.TemporaryFile() as file:
        pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)
        return file.tell()


def run_sklearn(job):
    if job["train"].endswith(".npy"):
        (x, y), (x_test, y_test) = (read_npy(job[p], job["target"]) for p in ("train", "test"))
    else:
        (x, y), (x_test, y_test) = (read_csv(job, part) for part in ("train", "test"))
        x, x_test = one_hot(x, x_test)
    forest, seconds = fit_sklearn(job, x, y)
    peak = peak_bytes()
    answer = forest.predict(x_test)
    if job["task"] == "classification":
        error = float((answer != y_test).mean())
    else:
        error = float(((answer - y_test) ** 2).mean() ** 0.5)
    return {
        "error": error,
        "seconds": seconds,
        "peak_bytes": peak,
        "model_bytes": pickled_bytes(forest),
    }


if __name__ == "__main__":
    print(json.dumps(run_sklearn(json.loads(sys.argv[1]))))
