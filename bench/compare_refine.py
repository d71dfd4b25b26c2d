"""Refinement beside LIBLINEAR (Debian: liblinear-dev): times and objectives of the same problems.

usage: compare_refine.py [--build FOLDER] [--rows N] [--turns N] [--works NAME ...]
"""

import argparse
import os
import pathlib
import statistics
import tempfile

from processes import CommandFailed, finish
from tables import Section

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("COPPICE_DATA", ROOT.parent / "shared" / "data"))
LETTER = DATA / "classification" / "letter.train.csv"
WORKS = ["squared-1", "squared-10", "hinge", "patches"]


def compiled(build, scratch):
    program = pathlib.Path(scratch) / "peer_liblinear"
    finish(
        ["c++", "-O2", "-std=c++20", "-ffp-contract=off", f"-I{ROOT / 'src'}",
         f"-I{ROOT / 'include'}", ROOT / "bench" / "peer_liblinear.cpp",
         pathlib.Path(build) / "libcoppice.a", "-lfmt", "-llinear", "-lz", "-lpthread", "-o", program]
    )
    return program


def arguments_of(work, rows):
    return {"hinge": [LETTER], "patches": [rows]}.get(work, [])


def measured(program, work, arguments):
    """The medians of all turns. The ratio is that of the same turn: both then met the same machine.
    LIBLINEAR solves several outputs one after the other: in two processes it takes half."""
    turns = [finish([program, work, *arguments_of(work, arguments.rows)]).json()
             for _ in range(1 if work == "patches" else arguments.turns)]
    for turn in turns:
        turn["liblinear_seconds"] /= 2 if work == "squared-10" else 1
        turn["times"] = turn["liblinear_seconds"] / turn["seconds"]
    return {key: value if isinstance(value, str) else statistics.median(t[key] for t in turns)
            for key, value in turns[0].items()}


def row_of(result):
    compared = result["liblinear_seconds"] > 0
    return [
        result["work"],
        f"{result['seconds']:.2f}",
        f"{result['processor_seconds']:.2f}",
        f"{result['objective']:.6g}",
        f"{result['liblinear_seconds']:.2f}" if compared else "",
        f"{result['liblinear_processor_seconds']:.2f}" if compared else "",
        f"{result['liblinear_objective']:.6g}" if compared else "",
        f"{result['times']:.1f}" if compared else "",
        f"{result['peak_bytes'] / 1e9:.2f}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=ROOT / "build" / "release")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the work patches")
    parser.add_argument("--turns", type=int, default=3, help="of every work but patches")
    parser.add_argument("--works", nargs="*", default=WORKS, choices=WORKS)
    arguments = parser.parse_args()
    rows = [["work", "s", "processor s", "objective", "LIBLINEAR s", "processor s", "objective",
             "times as fast", "peak GB"]]
    with tempfile.TemporaryDirectory() as scratch:
        program = compiled(arguments.build, scratch)
        for work in arguments.works:
            try:
                rows.append(row_of(measured(program, work, arguments)))
            except CommandFailed as error:
                print(f"{work}: left out: {error}")
    print(Section("Refinement, two threads, medians", rows).text())


if __name__ == "__main__":
    main()
