"""What the Python peers share: reading the files of a job, timing answers, counting memory."""

import pathlib
import re
import statistics
import time


def read(job, part):
    """(x, y) of job[part]: x is float32 in .npy files, else a pandas table."""
    if job[part].endswith(".npy"):
        return read_npy(job[part], job["target"])
    return read_csv(job, part)


def read_npy(path, target):
    import numpy

    table = numpy.load(path)
    column = int(target) - 1
    return numpy.delete(table, column, axis=1), table[:, column]


def read_csv(job, part):
    """Classes are text; an empty field alone is missing."""
    import pandas

    kinds = {job["target"]: str} if job["task"] == "classification" else {}
    table = pandas.read_csv(job[part], dtype=kinds, keep_default_na=False, na_values=[""])
    y = table.pop(job["target"]).to_numpy()
    return table, y


def error(job, answer, truth):
    """The misclassified share, or the root of the mean squared error."""
    if job["task"] == "classification":
        return float((answer != truth).mean())
    return float(((answer - truth) ** 2).mean() ** 0.5)


def peak_bytes():
    """The peak of this process since it began to run this program."""
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) * 1024


def median_seconds(calls, answer, prepare=lambda call: call):
    """Median time of answer(prepare(call)), preparing left out; the first answer does not count."""
    answer(prepare(0))
    seconds = []
    for call in range(calls):
        argument = prepare(call)
        start = time.perf_counter()
        answer(argument)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def median_row_seconds(rows, answer):
    """Median time of answer(one row of the matrix, as a matrix), after a first pass over all."""
    single = [rows[row : row + 1] for row in range(len(rows))]
    for row in single:
        answer(row)
    return median_seconds(len(single), answer, lambda call: single[call])
