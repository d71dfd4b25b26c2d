#!/usr/bin/env python3
"""Compares the densities of coppice with scikit-learn's GaussianMixture and KernelDensity.

Shapes of two features whose density is known: the sum of squared differences on a grid, both
densities divided by their sums (Criminisi et al. 2012, eq. 5.11). Real sets without their targets:
the mean log-likelihood of rows that nobody was trained on. All systems see the same rows. The
mixture has the number of components with the best BIC, the kernel the bandwidth with the best
likelihood in five folds; coppice is run as it comes.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time

import datasets
import numpy as np
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity

ROWS = 5000
GRID = 200
CURVE_POINTS = 400
COMPONENTS = (1, 2, 3, 4, 5, 6, 8, 11, 16, 22, 32, 45)
REAL = {
    "california_housing": "regression/california_housing.csv",
    "kin8nm": "regression/kin8nm.csv",
    "cpu_small": "regression/cpu_small.csv",
    "abalone": "regression/abalone.csv",
    "pendigits": "classification/pendigits.train.csv",
    "satimage": "classification/satimage.train.csv",
}


# --- Shapes: centres of equal weight along a curve, and the deviation about them ------------------


def along(x, y):
    return np.stack([x, y], axis=1)


def five_gaussians():
    return np.array([[-2, -2], [2, -2], [0, 0], [-2, 2], [2, 2]], float), 0.6


def s_shape():
    t = np.linspace(-1.5 * np.pi, 1.5 * np.pi, CURVE_POINTS)
    return along(np.sin(t), np.sign(t) * (1 - np.cos(t))), 0.12


def spiral_arms(arms, turns, deviation):
    t = np.linspace(0.15, 1, CURVE_POINTS)
    parts = []
    for arm in range(arms):
        angle = 2 * np.pi * (turns * t + arm / arms)
        parts.append(along(3 * t * np.cos(angle), 3 * t * np.sin(angle)))
    return np.concatenate(parts), deviation


def ring():
    t = np.linspace(0, 2 * np.pi, CURVE_POINTS, endpoint=False)
    return along(2 * np.cos(t), 2 * np.sin(t)), 0.25


def crossing_arcs():
    t = np.linspace(0, np.pi, CURVE_POINTS)
    upper = along(1.5 * np.cos(t) - 0.7, 2 * np.sin(t) - 0.8)
    lower = along(1.5 * np.cos(t) + 0.7, 0.8 - 2 * np.sin(t))
    return np.concatenate([upper, lower]), 0.15


SHAPES = {
    "five Gaussians": five_gaussians,
    "S": s_shape,
    "four spiral arms": lambda: spiral_arms(4, 0.4, 0.12),
    "two spirals": lambda: spiral_arms(2, 1.0, 0.12),
    "ring": ring,
    "crossing arcs": crossing_arcs,
}


def draw(shape, rows, random):
    centres, deviation = shape
    chosen = centres[random.randint(len(centres), size=rows)]
    return chosen + random.normal(0, deviation, chosen.shape)


def true_density(shape, points):
    centres, deviation = shape
    total = np.zeros(len(points))
    for centre in centres:
        total += np.exp(-((points - centre) ** 2).sum(1) / (2 * deviation**2))
    return total / len(centres) / (2 * np.pi * deviation**2)


# --- Systems: functions from training rows to functions from rows to log densities ----------------


def write_csv(path, rows):
    header = ",".join(f"x{i + 1}" for i in range(rows.shape[1]))
    np.savetxt(path, rows, fmt="%.8g", delimiter=",", header=header, comments="")


class Coppice:
    name = "coppice"

    def __init__(self, program, scratch, options):
        self.program, self.scratch, self.options = program, pathlib.Path(scratch), options
        self.report = {}

    def call(self, *arguments):
        command = [self.program, *map(str, arguments), "--json", "--quiet"]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    def fit(self, rows):
        write_csv(self.scratch / "train.csv", rows)
        self.report = self.call(
            "train", self.scratch / "train.csv", "--task", "density", *self.options,
            "-o", self.scratch / "model",
        )
        return self.log_density

    def log_density(self, rows):
        write_csv(self.scratch / "rows.csv", rows)
        answer = self.call(
            "predict", self.scratch / "model", self.scratch / "rows.csv", "--log-density",
            "-o", self.scratch / "answers.npy",
        )
        self.seconds = answer["predict_seconds"]
        return np.load(self.scratch / "answers.npy").ravel()


class Mixture:
    name = "GaussianMixture"

    def fit(self, rows):
        best = None
        for components in COMPONENTS:
            model = GaussianMixture(components, random_state=0, max_iter=200).fit(rows)
            bic = model.bic(rows)
            if best is None or bic < best[0]:
                best = (bic, components, model)
            elif components >= 2 * best[1]:
                break
        return best[2].score_samples


class Kernel:
    name = "KernelDensity"

    def fit(self, rows, most_rows=2000):
        """The bandwidth is chosen on `most_rows` rows and scaled to all by n^(-1 / (d + 4))."""
        some = rows[:most_rows]
        widths = np.geomspace(0.03, 1.0, 16)
        search = GridSearchCV(KernelDensity(), {"bandwidth": widths}, cv=5).fit(some)
        scale = (len(some) / len(rows)) ** (1 / (rows.shape[1] + 4))
        width = search.best_params_["bandwidth"] * scale
        return KernelDensity(bandwidth=width).fit(rows).score_samples


# --- Comparisons ----------------------------------------------------------------------------------


def shape_errors(systems, random):
    for name, make in SHAPES.items():
        shape = make()
        rows = draw(shape, ROWS, random)
        reach = 1.25 * np.abs(rows).max()
        axis = (np.arange(GRID) + 0.5) / GRID * 2 * reach - reach
        points = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        truth = true_density(shape, points)
        errors = []
        for system in systems:
            found = np.exp(system.fit(rows)(points))
            errors.append(((found / found.sum() - truth / truth.sum()) ** 2).sum())
        yield name, errors


def real_rows(name, random):
    with open(datasets.data_folder() / REAL[name]) as lines:
        header, *rows = csv.reader(lines)
    numbers = [i for i, column in enumerate(header) if column not in ("target", "label", "Sex")]
    table = np.array([[float(row[i]) for i in numbers] for row in rows])
    table = table[:, table.std(0) > 0]
    table = (table - table.mean(0)) / table.std(0) + random.normal(0, 0.05, table.shape)
    table = table[random.permutation(len(table))].astype(np.float32).astype(float)
    cut = len(table) * 7 // 10
    return table[:cut], table[cut:]


def likelihoods(systems, sets, random):
    for name in sets:
        train, test = real_rows(name, random)
        yield name, [system.fit(train)(test).mean() for system in systems]


def speeds(systems, random):
    """Seconds for 100,000 points of the S."""
    rows, points = draw(s_shape(), ROWS, random), draw(s_shape(), 100_000, random)
    for system in systems:
        score = system.fit(rows)
        start = time.perf_counter()
        score(points)
        yield system.name, getattr(system, "seconds", time.perf_counter() - start)


def print_table(title, systems, rows, better, digits):
    print(f"\n| {title} | " + " | ".join(system.name for system in systems) + " |")
    print("|---|" + "---|" * len(systems))
    won = 0
    count = 0
    for name, values in rows:
        best = better(values)
        won += values[0] == best
        count += 1
        cells = [f"**{v:{digits}}**" if v == best else f"{v:{digits}}" for v in values]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print(f"\ncoppice is best in {won} of {count}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program), help="the coppice program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=list(REAL))
    parser.add_argument("--parts", default="shapes,sets,speed", help="of shapes, sets, speed")
    parser.add_argument("options", nargs="*", help="given to coppice train")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        systems = [Coppice(given.program, scratch, given.options), Mixture(), Kernel()]
        random = np.random.RandomState(given.seed)
        if "shapes" in given.parts:
            print_table("squared error", systems, shape_errors(systems, random), min, ".3e")
        if "sets" in given.parts:
            rows = likelihoods(systems, given.sets, random)
            print_table("log-likelihood", systems, rows, max, ".3f")
        if "speed" in given.parts:
            print("\n| 100,000 points | seconds |\n|---|---|")
            for name, seconds in speeds([systems[0], systems[2]], random):
                print(f"| {name} | {seconds:.3f} |", flush=True)


if __name__ == "__main__":
    main()
