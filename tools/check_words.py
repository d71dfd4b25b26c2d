"""Words that must not be in the repository: unfinished work, names of places."""

import re
from pathlib import Path

from source_text import run

IGNORED = {".git", "build", "__pycache__", ".cache"}
# Written so that this file does not contain them.
WORDS = re.compile(
    r"/w[o]rk/|/f[a]rm/|/home/[a-z]+/|[.]librar[y]\b|[.]pyen[v]|sub-?a[g]ent"
    r"|\bT[O]DO\b|\bF[I]XME\b|\bX[X]X\b|\bHA[C]K\b"
)


def text_files(folder):
    for path in sorted(Path(folder).iterdir()):
        if path.name in IGNORED or path.is_symlink():
            continue
        if path.is_dir():
            yield from text_files(path)
        elif b"\0" not in path.read_bytes()[:4096]:
            yield path


def findings(root):
    for path in text_files(root):
        for number, line in enumerate(path.read_text(errors="replace").split("\n"), start=1):
            if match := WORDS.search(line):
                yield f"{path.relative_to(root)}:{number}: {match.group()}"


if __name__ == "__main__":
    run(findings)
