#!/usr/bin/env python3
"""Every file of bad_data.json through the program: `train` on it, and `predict` with a model that was
trained on the sound file of its format. Each gives the documented sentence, or the documented rows.
bad_data_test.cpp asks the same of the library. `--record` writes what the program says now."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_name("bad_data.json")
# Nothing here is large; a case that takes longer than this has run away.
SECONDS = 60


class Program:
    def __init__(self, folder):
        self.folder = folder
        self.path = os.environ["COPPICE"]

    def run(self, *arguments):
        """"ok", or the sentence of the error; the exit code must be 2, the input is to blame."""
        done = subprocess.run(
            [self.path, *arguments], cwd=self.folder, capture_output=True, timeout=SECONDS
        )
        if done.returncode == 0:
            return "ok"
        sentence = done.stderr.decode("utf-8", "surrogateescape").strip().split("\n")[-1]
        if done.returncode != 2:
            return f"exit code {done.returncode}: {sentence}"
        return sentence.removeprefix(f"coppice {arguments[0]}: ")

    def write(self, name, content):
        (self.folder / name).write_bytes(content.encode("latin-1"))


def flags(options):
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        if value is not True:
            yield value


def train(program, case, model):
    program.write(case["file"], case["bytes"])
    target = ["--target", case["target"]] if case["target"] else []
    return program.run("train", case["file"], *target, *flags(case.get("options", {})), "--trees",
                       "2", "--oob", "false", "--quiet", "-o", model)


def predict(program, case):
    program.write(case["file"], case["bytes"])
    options = {name: value for name, value in case.get("options", {}).items()
               if name in ("no_header", "delimiter")}
    return program.run("predict", model_for(case), case["file"], *flags(options), "--quiet", "-o",
                       "answers.csv")


def kind(case):
    return case["file"].removesuffix(".gz").rsplit(".", 1)[-1]


def model_for(case):
    return f"{kind(case) if kind(case) in ('npy', 'libsvm', 'arff') else 'csv'}.coppice"


def outcomes(program, cases):
    for case in cases:
        if case["name"].endswith(": sound"):
            assert train(program, case, model_for(case)) == "ok", case["name"]
    for case in cases:
        yield case, {"train": train(program, case, "model.coppice"), "predict": predict(program, case)}


def main():
    cases = json.loads(TABLE.read_text())
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for case, found in outcomes(Program(pathlib.Path(name)), cases):
            if "--record" in sys.argv:
                case.update(found)
                continue
            for verb, sentence in found.items():
                if sentence == case[verb]:
                    continue
                wrong += 1
                print(f"{verb}, {case['name']}:\n  {sentence}\n  instead of\n  {case[verb]}")
    if "--record" in sys.argv:
        TABLE.write_text(json.dumps(cases, indent=1) + "\n")
    print(f"{len(cases)} files, {wrong} surprises")
    sys.exit(wrong > 0)


main()
