"""The program as the experiments call it: train, evaluate and prune, each a process of one thread."""

import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import datasets  # noqa: E402
from experiments import Experiment  # noqa: E402
from processes import finish  # noqa: E402

PROGRAM = str(datasets.REPOSITORY / "build/release/coppice")
PRUNING_ROUNDS = 300  # tables 4.3 and 4.7
PRUNING_OPTIONS = ("--merge", "--strategy")  # of coppice prune, beside those of refinement


def words(options):
    return [word for option in options.items() for word in option]


def without_refinement(options):
    return {
        name: value
        for name, value in options.items()
        if not name.startswith("--refine") and name not in PRUNING_OPTIONS
    }


def pruning_options(options):
    """Those of a method that coppice prune understands."""
    return {
        name.replace("--refine-", "--"): value
        for name, value in options.items()
        if name.startswith("--refine-") or name in PRUNING_OPTIONS
    }


def lines_of(path):
    with datasets.open_text(path) as file:
        return file.read().splitlines()


def write_lines(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Caller:
    program: str
    experiment: Experiment
    model: pathlib.Path  # where models go, one after the other

    def beside(self, ending):
        return self.model.with_suffix(ending)

    def finish(self, *command, threads=1):
        return finish([self.program, *command, "--threads", threads, "--quiet", "--json"])

    def train(self, data, options, seed, threads=1):
        task = ["--task", self.experiment.task, "--target", self.experiment.target()]
        options = {"--oob": "false", "--seed": seed} | options
        command = ["train", data, "-o", self.model, *task, *words(options)]
        return self.finish(*command, threads=threads)

    def evaluate(self, data, *more):
        command = ["evaluate", self.model, data, "--target", self.experiment.target(), *more]
        return self.finish(*command).json()

    def error(self, data):
        return self.evaluate(data)[self.experiment.metric]

    def prune(self, train, validation, options, seed, rounds=PRUNING_ROUNDS):
        """The path of the model that is pruned on one file with errors on another."""
        both, last = self.beside(".both.csv"), lines_of(validation)[1:]
        write_lines(both, lines_of(train) + last)
        command = ["prune", self.model, both, "-o", self.beside(".pruned"), "--seed", seed]
        command += ["--validation-last", len(last), "--rounds", rounds, "--tolerance", "1000%"]
        return self.finish(*command, *words(pruning_options(options)))
