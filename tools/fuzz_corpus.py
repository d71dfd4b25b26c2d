#!/usr/bin/env python3
"""Makes the inputs that fuzzing begins with: small models of every weak learner, task, method and
kind of feature, parts of checkpoints of them, and small data files of every format. usage: fuzz_corpus.py COPPICE FOLDER; writes
FOLDER/TARGET/*."""
import itertools
import json
import pathlib
import struct
import subprocess
import sys

LEARNERS = ["axis", "difference", "oblique", "conic", "pca", "lda"]
METHODS = ["adf", "arf", "boosted", "newton", "dynamic"]
LEAVES = ["linear", "polynomial", "probabilistic-constant", "probabilistic-linear", "quantiles"]

ROWS = [("%.2f" % (i * 37 % 17 / 7), "abc"[i % 3], i * 13 % 5) for i in range(24)]
TABLES = {
    "numbers": (["x", "y"], [(a, str(c)) for a, _, c in ROWS]),
    "words": (["x", "w"], [(a, b) for a, b, _ in ROWS]),
}


def write_table(path, names, rows, targets):
    lines = [",".join(names + list(targets))]
    for i, row in enumerate(rows):
        lines.append(",".join(list(row) + [str(value(i)) for value in targets.values()]))
    path.write_text("\n".join(lines) + "\n")


def tables(folder):
    """Name of the file, its kind of task, the options that name its targets."""
    for name, (names, rows) in TABLES.items():
        one = {"label": lambda i: "kms"[i * 7 % 3]}
        number = {"t": lambda i: i * i % 23 / 4}
        several = {"t": lambda i: i * i % 23 / 4, "u": lambda i: -i / 3}
        for task, targets in [("classes", one), ("number", number), ("several", several)]:
            path = folder / f"{name}_{task}.csv"
            write_table(path, names, rows, targets)
            yield path, task, ["--target", ",".join(targets)]


def trainings(task):
    for learner in LEARNERS:
        yield learner, ["--split", learner]
    yield "boxes", ["--split", "boxes", "--image-width", "2"]
    for method in METHODS:
        yield method, ["--method", method]
    if task != "classes":
        for leaf in LEAVES:
            yield leaf, ["--leaf", leaf, "--min-samples-leaf", "5"]


def checkpoint_of(model, leaves):
    """A model as a part of a checkpoint; whoever reads it repairs the checksum."""
    size = 8 + struct.unpack("<Q", model[:8])[0]
    header, data = json.loads(model[8:size]), model[size:]
    trees = header["tree.first_split"]["shape"][0] - 1
    splits = header["split.right"]["shape"][0]
    sections = {
        "x-checkpoint.data": ("U64", [4], struct.pack("<4Q", 1, 2, 3, 4)),
        "x-checkpoint.gain": ("F64", [splits], struct.pack(f"<{splits}d", *range(splits))),
        "x-checkpoint.root_weight": ("F64", [trees], struct.pack(f"<{trees}d", *range(trees))),
        "x-checkpoint.number": ("U32", [trees], struct.pack(f"<{trees}I", *range(trees))),
        "x-checkpoint.closed_depth": ("U32", [trees], b"\xff" * 4 * trees),
    }
    for name, entry in header.items():
        if name != "__metadata__" and (leaves or not name.startswith("leaf.")):
            begin, end = entry["data_offsets"]
            sections[name] = (entry["dtype"], entry["shape"], data[begin:end])
    out, bytes_ = {"__metadata__": header["__metadata__"]}, b""
    if not leaves:
        out["__metadata__"]["without_leaves"] = "true"
    for name, (dtype, shape, content) in sections.items():
        offsets = [len(bytes_), len(bytes_) + len(content)]
        out[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        bytes_ += content
    text = json.dumps(out, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    return struct.pack("<Q", len(text)) + text + bytes_


def make_models(coppice, folder):
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    made = 0
    for path, task, target in tables(scratch):
        for name, options in trainings(task):
            model = folder / "load_fuzz" / f"{path.stem}_{name}.coppice"
            command = [coppice, "train", path, *target, *options, "--trees", "2", "--max-depth",
                       "2", "-o", model, "--quiet"]
            # Some methods are for classes only, or for numbers.
            if subprocess.run(command, capture_output=True).returncode != 0:
                continue
            made += 1
            content = model.read_bytes()
            (folder / "repaired_model_fuzz" / model.name).write_bytes(content)
            for leaves in (True, False):
                part = folder / "checkpoint_fuzz" / f"{model.stem}_{leaves}"
                part.write_bytes(checkpoint_of(content, leaves))
            text = folder / "json_fuzz" / (model.stem + ".json")
            subprocess.run([coppice, "convert", model, text, "--quiet"], check=True)
    for payload, compress in itertools.product(["half", "byte"], [False, True]):
        out = folder / "load_fuzz" / f"{payload}_{compress}.coppice"
        source = folder / "load_fuzz" / "numbers_classes_axis.coppice"
        subprocess.run([coppice, "convert", source, out, "--payload", payload, "--quiet"]
                       + ["--compress"] * compress, check=True)
    return made


def npy(dtype, shape, data, version=1, order="False"):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (dtype, order, shape)
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode() + data


DATA = {
    "csv": [b"a,b\n1,2\n3,4\n", b"a;b\r\n1,5;x\r\n2;y\r\n", b"\xef\xbb\xbfa\tb\n1\t2\n",
            b'"a ""q""","b\nc"\n1,"x,y"\n', b"1,nan\n-inf,1e400\n", b"a\n", b"", b"1|2\n3|4\n",
            b"x,y\n0x10,1\n?,NA\n", b"a,a\n1,2\n", b"1,2\n3\n"],
    "npy": [npy("<f4", "(2, 2)", struct.pack("<4f", 1, 2, 3, 4)),
            npy("<f8", "(3,)", struct.pack("<3d", 1, 2, 3)),
            npy("<i8", "(2, 1)", struct.pack("<2q", 1, -2), order="True"),
            npy("|u1", "(1, 3)", b"\1\2\3", version=2), npy("|b1", "(2, 1)", b"\0\1"),
            npy(">i2", "(2, 1)", b"\0\1\0\2"), npy("<f2", "(1, 2)", b"\0\x3c\0\x40")],
    "libsvm": [b"1 1:2 3:4\n-1 2:5\n", b"+1 1:0.5 # note\n", b"2.5 7:1e3\n", b"1\n", b"1 0:1\n",
               b"1 3:1 2:1\n", b"1 qid:4 1:2\n"],
    "arff": [b"@relation r\n@attribute a numeric\n@attribute c {x,'y z'}\n@data\n1,x\n?,'y z'\n",
             b"% note\n@RELATION r\n@ATTRIBUTE a REAL\n@DATA\n{0 3}\n",
             b"@relation r\n@attribute s string\n@data\nabc\n"],
    "options": [b"trees 5\nmax-depth 3\n", b"task regression\nleaf linear\n", b"threshold random\n",
                b"split axis:0.5,conic:0.5\n", b"method adf\nloss hinge\n",
                b"class-weight balanced\nseed 18446744073709551615\n", b"max_samples 0.5\n"],
}


def main():
    coppice, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for target in ["load", "repaired_model", "checkpoint", "json", *DATA]:
        (folder / f"{target}_fuzz").mkdir(parents=True, exist_ok=True)
    models = make_models(coppice, folder)
    for target, files in DATA.items():
        for number, content in enumerate(files):
            (folder / f"{target}_fuzz" / f"{number}.{target}").write_bytes(content)
    print(f"{models} models and {sum(map(len, DATA.values()))} data files")
    if models < 40:
        sys.exit("too few models: an option has another name now")


main()
