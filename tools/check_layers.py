"""Include rules between the folders, and folders that must not name a task.

Each folder may include itself, the folders listed for it, and the public headers.
"""

import re

from source_text import blank_comments, code_lines, is_test, run, source_files

LAYERS = {
    "base": [],
    "data": ["base"],
    "split": ["base", "data"],
    "objective": ["base", "data"],
    "leaf": ["base", "data"],
    "model": ["base"],
    "grow": ["base", "data", "split", "objective", "leaf", "model"],
    "infer": ["base", "data", "model"],
    "report": ["base", "data", "model", "infer"],
    "refine": ["base", "model", "infer"],
    "density": ["base", "data", "model", "infer"],
    "affinity": ["base", "model", "infer"],
}
LAYERS["transduce"] = ["base", "data", "model"]
LAYERS["tasks"] = [folder for folder in LAYERS]
LAYERS["query"] = ["base", "data"]
LAYERS["c_api"] = [*LAYERS["tasks"], "tasks"]
LAYERS["draw"] = LAYERS["c_api"]
LAYERS["cli"] = [*LAYERS["c_api"], "draw"]

# Single headers that may cross: (folder, suffix of the including file) -> headers.
EXCEPTIONS = {
    ("split", ".h"): ["objective/objective.h"],
    ("split", ".cpp"): ["objective/objective.h"],
    ("objective", ".h"): ["split/running_split.h"],
    ("objective", ".cpp"): ["split/running_split.h", "split/split_search.h"],
}

TASKLESS = ["src/grow", "src/split", "src/model", "src/infer", "src/refine", "src/affinity"]
TASK = re.compile(
    r"classification|regression|density|manifold|semi_?supervised|super_?resolution", re.IGNORECASE
)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def includes(path):
    text = blank_comments(path.read_text(), keep_strings=True)
    for number, line in enumerate(text.split("\n"), start=1):
        if match := INCLUDE.match(line):
            yield number, match.group(1)


def problem(path, folder, header):
    """Why a file of the folder must not include the header; None if it may."""
    target = header.split("/")[0]
    if "/" not in header and folder == "cli":
        return None
    if target == "coppice":
        return None
    if folder == "include":
        return "public headers include public headers only"
    if target not in LAYERS:
        return 'own headers are included by folder, as "data/csv_reader.h"'
    if target == folder or target in LAYERS[folder]:
        return None
    if header in EXCEPTIONS.get((folder, path.suffix), []):
        return None
    return f"{folder} must not include {target}"


def findings(root):
    for path in source_files(root, ["include", "src", "cli"], [".h", ".cpp", ".inc"]):
        if is_test(path):
            continue
        place = path.relative_to(root)
        folder = place.parts[1] if place.parts[0] == "src" else place.parts[0]
        if place.parts[:2] == ("cli", "draw"):
            folder = "draw"
        if folder not in LAYERS and folder != "include":
            yield f"{place}: folder '{folder}' has no layer; add it to tools/check_layers.py"
            continue
        for number, header in includes(path):
            if reason := problem(path, folder, header):
                yield f'{place}:{number}: "{header}": {reason}'
    for path in source_files(root, TASKLESS, [".h", ".cpp", ".inc"]):
        if is_test(path):
            continue
        for number, line in code_lines(path):
            if match := TASK.search(line):
                yield f"{path.relative_to(root)}:{number}: names a task: {match.group()}"


if __name__ == "__main__":
    run(findings)
