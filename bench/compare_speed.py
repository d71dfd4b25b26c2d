#!/usr/bin/env python3
"""Prints how fast coppice and its peers train, predict and get from CSV file to model.

The systems take turns, each run in a process of its own with nothing beside it; times are medians.
See README.md for the works, the settings and what is timed. Exit code 1: a bar is not reached.
"""

import argparse
import fcntl
import os
import pathlib
import sys
import tempfile

import datasets
import measuring
import speed_tables
import systems
import tables
import workloads
from processes import CommandFailed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*workloads.GROUPS, *workloads.WORKS]
    parser.add_argument("--workloads", type=listed, default=list(workloads.GROUPS),
                        help=f"some of {', '.join(names)} (default: all)")
    parser.add_argument("--systems", type=listed,
                        help=f"some of {', '.join(systems.SYSTEMS)} (default: the work's own)")
    parser.add_argument("--scale", type=float, default=1,
                        help="shrinks rows and trees, e.g. 0.02 for a try (default 1)")
    parser.add_argument("--skip-slow", action="store_true",
                        help="run ranger only once on synthetic, mnist and friedman")
    parser.add_argument("--calls", type=int, default=3,
                        help="timed batches per prediction process (default 3)")
    parser.add_argument("--threads", type=int, default=2)
    add_shared_arguments(parser, repeats=3)
    parser.add_argument("--coppice-options", type=str.split, default=[],
                        help="further options of 'coppice train', in one argument")
    arguments = parser.parse_args()
    try:
        arguments.workloads = workloads.chosen_works(arguments.workloads)
    except KeyError as name:
        parser.error(f"{name} is none of {', '.join(names)}")
    for name in arguments.systems or ():
        if name not in systems.SYSTEMS:
            parser.error(f"'{name}' is none of {', '.join(systems.SYSTEMS)}")
    if not 0 < arguments.scale <= 1:
        parser.error("--scale must be above 0 and at most 1")
    if min(arguments.calls, arguments.threads, arguments.repeats) < 1:
        parser.error("--calls, --threads and --repeats must be at least 1")
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"{arguments.program}: no such program; build it or give --program")
    return arguments


def listed(text):
    return text.split(",")


def add_shared_arguments(parser, repeats):
    """What compare_speed.py and growth.py have in common."""
    parser.add_argument("--repeats", type=int, default=repeats,
                        help=f"runs per figure (default {repeats})")
    program = datasets.REPOSITORY / "build" / "release" / "coppice"
    parser.add_argument("--program", default=str(program), help="the coppice program")
    scratch = pathlib.Path(tempfile.gettempdir()) / "coppice-bench"
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch,
                        help="folder that keeps made data and models (default %(default)s)")
    parser.add_argument("--markdown", type=pathlib.Path, help="also write the tables to this file")


def reserve(scratch):
    """Keeps a second run out of the folder, whose figures would disturb these. The lock lasts as
    long as the file that is returned."""
    scratch.mkdir(parents=True, exist_ok=True)
    lock = open(scratch / "lock", "w", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise SystemExit(f"{scratch}: another run is measuring; wait for its end") from None
    return lock


def load_note():
    """A sentence if other programs keep the processors busy: the figures are then worth little."""
    load = os.getloadavg()[0]
    return f"the machine was not idle at the start: load {load:.1f}" if load > 0.3 else None


class Presence:
    """Which systems are installed; each is looked for once, and a missing one is said at once."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.known = {}

    def has(self, system):
        if system not in self.known:
            self.known[system] = systems.is_installed(system, self.scratch)
            if not self.known[system]:
                print(missing_text(system), file=sys.stderr, flush=True)
        return self.known[system]


def missing_text(system):
    return f"{system} is missing and left out (Debian: {systems.PACKAGES[system]})"


def wanted(work, named):
    """The systems of the work, or those of them (and on request others) that --systems names."""
    possible = work.systems + work.on_request
    return [name for name in possible if name in (named or work.systems)]


def run_work(work, presence, arguments):
    """(measurement, the section that shows it)."""
    chosen = wanted(work, arguments.systems)
    present = [system for system in chosen if presence.has(system)]
    measurement = measuring.measure(work, present, arguments)
    measurement.notes += [missing_text(name) for name in chosen if name not in present]
    if not chosen:
        measurement.notes.append("none of the systems that were named takes part")
    title = speed_tables.heading(measurement, arguments)
    rows = speed_tables.work_table(measurement)
    return measurement, tables.Section(title, rows, measurement.notes)


def main():
    arguments = parse_arguments()
    lock = reserve(arguments.scratch)
    note = load_note()
    presence = Presence(arguments.scratch)
    measurements, sections = [], []
    for work in arguments.workloads:
        try:
            measurement, section = run_work(work, presence, arguments)
        except CommandFailed as error:
            raise SystemExit(f"{work.name}: {error}") from error
        measurements.append(measurement)
        sections.append(section)
        print(section.text(), flush=True)
        tables.write_markdown(arguments.markdown, sections)
    summary = speed_tables.summary_table(measurements)
    notes = [f"{one.work.name}: {text}" for one in measurements for text in one.notes]
    notes += [] if arguments.scale == 1 else ["the bars are meant for scale 1"]
    sections.append(tables.Section("summary", summary, notes + ([note] if note else [])))
    print(sections[-1].text())
    tables.write_markdown(arguments.markdown, sections)
    lock.close()
    return 1 if arguments.scale == 1 and speed_tables.bars_missed(summary) else 0


if __name__ == "__main__":
    sys.exit(main())
