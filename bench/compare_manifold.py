"""Embeddings of manifold forests beside scikit-learn's SpectralEmbedding on a 10-nearest-neighbour
graph, and how long large ones take.

usage: compare_manifold.py [--program FILE] [--works rolls shapes mnist million] [--seeds N]

`shapes` needs python3-pil and python3-scipy, the other works scikit-learn and NumPy only. The exit
code is 1 if a work of coppice is worse than its peer's, or slower or larger than its limit.
"""

import argparse
import gzip
import os
import pathlib
import sys
import tempfile

import numpy as np

from processes import finish
from tables import Section

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("COPPICE_DATA", ROOT.parent / "shared" / "data"))
SHAPES = ["apple", "bat", "bird", "fork", "guitar"]
MOST_SECONDS, MOST_BYTES = 60, 3 * 2**30  # of the eigen-step of a million rows


def write_csv(path, table, names):
    np.savetxt(path, table, delimiter=",", fmt="%.7g", comments="", header=",".join(names))


def embedded(program, folder, csv, seed=1, train=(), embed=()):
    """(coordinates, report of embed, report of train with its peak bytes, peak bytes of embed)."""
    model, output = folder / "forest.coppice", folder / "embedding.npy"
    trained = finish([program, "train", csv, "--task", "manifold", "--seed", seed, "-o", model,
                      "--quiet", "--json", *train])
    done = finish([program, "embed", model, csv, "-o", output, "--quiet", "--json", *embed])
    return np.load(output), done.json(), trained.json(), done.peak_bytes


def spectral_embedding(x):
    from sklearn.manifold import SpectralEmbedding

    peer = SpectralEmbedding(2, affinity="nearest_neighbors", n_neighbors=10, random_state=0)
    return peer.fit_transform(x)


def preserved(x, y):
    """Trustworthiness and continuity at 5 and at 10 neighbours."""
    from sklearn.manifold import trustworthiness

    return [f(k) for k in (5, 10) for f in (lambda k: trustworthiness(x, y, n_neighbors=k),
                                            lambda k: trustworthiness(y, x, n_neighbors=k))]


def rolls(program, folder, seeds):
    from sklearn.datasets import make_s_curve, make_swiss_roll

    rows = [["data", "system", "trust 5", "cont 5", "trust 10", "cont 10", "dimension"]]
    fine = True
    for name, make in (("Swiss roll", make_swiss_roll), ("S-curve", make_s_curve)):
        x, _ = make(2000, random_state=0)
        csv = folder / "rows.csv"
        write_csv(csv, x, ["x1", "x2", "x3"])
        peer = preserved(x, spectral_embedding(x))
        rows.append([name, "SpectralEmbedding", *[f"{v:.4f}" for v in peer], ""])
        for seed in range(1, seeds + 1):
            y, report, _, _ = embedded(program, folder, csv, seed)
            ours = preserved(x, y)
            dimension = report["intrinsic_dimension"]
            fine &= all(o >= p for o, p in zip(ours, peer)) and dimension == 2
            rows.append([name, f"coppice, seed {seed}", *[f"{v:.4f}" for v in ours],
                         f"{dimension} ({report['growth']:.2f})"])
    return Section("2,000 rows in three dimensions, embedded in two", rows), fine


def signed_distances(path, points):
    """Distance to the outline at points given in units of the shape: centred, turned and scaled."""
    from PIL import Image
    from scipy.ndimage import distance_transform_edt, map_coordinates

    inside = np.array(Image.open(path).convert("L")) > 127
    places = np.argwhere(inside)
    centre = places.mean(0)
    values, axes = np.linalg.eigh(np.cov((places - centre).T))
    axes, size = axes[:, ::-1], np.sqrt(values.sum())
    for k in range(2):
        if (((places - centre) @ axes[:, k]) ** 3).mean() < 0:
            axes[:, k] = -axes[:, k]
    room = max(inside.shape)
    inside = np.pad(inside, room)
    distance = distance_transform_edt(inside) - distance_transform_edt(~inside)
    at = centre + room + size * (points @ axes.T)
    return map_coordinates(distance, at.T, order=1, mode="nearest") / size


def same_class(y, labels, neighbours=5):
    distance = ((y[:, None] - y[None]) ** 2).sum(-1)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, 1, kind="stable")[:, :neighbours]
    return (labels[nearest] == labels[:, None]).mean()


def shapes(program, folder, seeds):
    points = np.random.RandomState(0).uniform(-2, 2, (150, 2))
    root = DATA / "vision" / "mpeg7_shapes"
    files = [(k, f) for k, name in enumerate(SHAPES) for f in sorted(root.glob(f"{name}-*.png"))]
    x = np.array([signed_distances(f, points) for _, f in files])
    labels = np.array([k for k, _ in files])
    csv = folder / "rows.csv"
    write_csv(csv, x, [f"p{i}" for i in range(150)])
    rows = [["system", "5 neighbours", "10 neighbours"]]

    def add(system, y):
        found = [same_class(y, labels), same_class(y, labels, 10)]
        rows.append([system, *[f"{v:.3f}" for v in found]])
        return found

    peer = add("SpectralEmbedding", spectral_embedding(x))
    fine = True
    for affinity in ("binary", "gaussian"):
        for seed in range(1, seeds + 1):
            y, *_ = embedded(program, folder, csv, seed, embed=["--affinity", affinity])
            ours = add(f"coppice, {affinity}, seed {seed}", y)
            fine &= affinity != "binary" or ours[0] >= peer[0]
    title = f"Share of neighbours of the same class in 2-D, {len(x)} shapes: {', '.join(SHAPES)}"
    return Section(title, rows), fine


def large_row(name, report, trained, peak):
    return [name, f"{trained['train_seconds']:.0f}", f"{report['eigen_seconds']:.1f}",
            str(report["products"]), f"{peak / 2**30:.2f}",
            f"{report['intrinsic_dimension']} ({report['growth']:.2f})"]


LARGE = ["data", "train s", "eigen-step s", "products", "peak GB of embed", "dimension"]


def mnist(program, folder, _):
    csv = folder / "mnist.csv"
    parts = []
    for part in ("train", "test"):
        found = sorted((DATA / "classification").glob(f"mnist.{part}.csv*"))
        opened = gzip.open if found[0].suffix == ".gz" else open
        with opened(found[0], "rt") as file:
            parts.append(file.read().split("\n", 1))
    csv.write_text(parts[0][0] + "\n" + parts[0][1] + parts[1][1])
    _, report, trained, peak = embedded(
        program, folder, csv, train=["--ignore", "label", "--max-node-samples", "500"])
    return Section("MNIST, 70,000 rows", [LARGE, large_row("MNIST", report, trained, peak)]), True


def million(program, folder, _):
    csv = folder / "roll.csv"
    finish([program, "generate", "swiss-roll", "--rows", 1_000_000, "--noise", 0, "-o", csv])
    _, report, trained, peak = embedded(
        program, folder, csv, train=["--ignore", "y", "--max-node-samples", "500"])
    fine = report["eigen_seconds"] <= MOST_SECONDS and peak <= MOST_BYTES
    return Section("Swiss roll, 1,000,000 rows, 100 trees",
                   [LARGE, large_row("Swiss roll", report, trained, peak)]), fine


WORKS = {"rolls": rolls, "shapes": shapes, "mnist": mnist, "million": million}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default=ROOT / "build" / "release" / "coppice")
    parser.add_argument("--works", nargs="+", choices=WORKS, default=list(WORKS))
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    all_fine = True
    for work in arguments.works:
        with tempfile.TemporaryDirectory() as scratch:
            section, fine = WORKS[work](arguments.program, pathlib.Path(scratch), arguments.seeds)
        print(section.text() + ("" if fine else "WORSE than asked for\n"), flush=True)
        all_fine &= fine
    sys.exit(0 if all_fine else 1)


if __name__ == "__main__":
    main()
