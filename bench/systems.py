"""The systems that are compared: what they can do, whether they are there, how they are run.

Jobs and results are plain dictionaries; peers get the job as JSON in their only argument and print
the result as JSON. Every job runs in a process of its own and nothing else runs beside it.

Job: system; action (train, csv, batch, single); task; train, test; target (a column name or, for
.npy, its number from 1); trees, max_features, min_leaf, max_depth (0: no limit), extra (extremely
randomised trees), rounds (of boosting, xgboost alone); seed, threads; program, options (coppice);
model (file to write or to read); calls (timed answers per process), rows (most single rows).
Result: seconds; error (misclassified share, or RMSE; training only); peak_bytes; model_bytes.
  train   seconds of training alone, peak memory up to its end
  csv     seconds of the whole process that reads a CSV file and saves a model
  batch   median seconds of answering all rows of `test`
  single  median seconds of answering one row on one thread
"""

import hashlib
import json
import pathlib
import sys
import tempfile

import coppice_program
from processes import CommandFailed, finish, succeeds

FOLDER = pathlib.Path(__file__).resolve().parent
SYSTEMS = ("coppice", "sklearn", "ranger", "xgboost", "opencv")
PACKAGES = {
    "sklearn": "python3-sklearn python3-pandas",
    "ranger": "r-cran-ranger r-cran-jsonlite",
    "xgboost": "python3-xgboost python3-pandas",
    "opencv": "g++ libopencv-dev nlohmann-json3-dev",
}


def run(job, scratch=None):
    """The result of the job. Without a name for the model, the model goes when the job is done.
    Raises CommandFailed. `scratch`: the folder of the compiled OpenCV program."""
    if "model" not in job:
        with tempfile.TemporaryDirectory() as folder:
            return run({**job, "model": str(pathlib.Path(folder) / "model")}, scratch)
    if job["system"] == "coppice":
        predicts = job["action"] in ("batch", "single")
        return coppice_program.predict(job) if predicts else coppice_program.train(job)
    if job["action"] == "csv":
        return run_sklearn_from_csv(job)
    return finish(peer_command(job["system"], scratch) + [json.dumps(job)], one_pool(job)).json()


def run_sklearn_from_csv(job):
    """The small script that a user would write, timed from outside; then its model is judged."""
    done = finish([sys.executable, FOLDER / "train_from_csv.py", json.dumps(job)], one_pool(job))
    judge = peer_command("sklearn", None) + [json.dumps({**job, "action": "evaluate"})]
    return {
        "error": finish(judge).json()["error"],
        "seconds": done.seconds,
        "peak_bytes": done.peak_bytes,
        "model_bytes": pathlib.Path(job["model"]).stat().st_size,
    }


def one_pool(job):
    """No library may start more threads than the job allows."""
    return {"OMP_NUM_THREADS": str(job["threads"])}


def peer_command(system, scratch):
    if system == "ranger":
        return ["Rscript", FOLDER / "peer_ranger.R"]
    if system == "opencv":
        return [opencv_program(scratch)]
    return [sys.executable, FOLDER / f"peer_{system}.py"]


def opencv_program(scratch):
    """Compiles peer_opencv.cpp unless `scratch` has it already, newer than its source."""
    source, program = FOLDER / "peer_opencv.cpp", pathlib.Path(scratch) / "peer_opencv"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        flags = finish(["pkg-config", "--cflags", "opencv4"]).text.split()
        libraries = ["-lopencv_ml", "-lopencv_core"]
        finish(["c++", "-O2", "-std=c++17", *flags, source, "-o", program, *libraries])
    return program


def is_installed(system, scratch):
    if system == "coppice":
        return True
    if system == "ranger":
        return succeeds(["Rscript", "-e", "library(ranger); library(jsonlite)"])
    if system == "opencv":
        try:
            return opencv_program(scratch).exists()
        except CommandFailed:
            return False
    return succeeds([sys.executable, "-c", f"import pandas, {system}"])


def source_digest(system):
    """Of the files that turn a job into the system's own settings."""
    files = sorted([*FOLDER.glob(f"peer_{system}.*"), *FOLDER.glob(f"{system}_program.py")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def version(system, program):
    """What results depend on: of coppice the program itself, since its number changes rarely."""
    if system == "coppice":
        return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]
    if system == "ranger":
        return finish(["Rscript", "-e", 'cat(format(packageVersion("ranger")))']).text
    if system == "opencv":
        return finish(["pkg-config", "--modversion", "opencv4"]).text
    return finish([sys.executable, "-c", f"import {system}; print({system}.__version__)"]).text
