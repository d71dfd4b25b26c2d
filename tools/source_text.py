"""What the check_*.py tools share: finding source files, blanking comments, reporting."""

import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent

_TOKENS = re.compile(
    r"""R"(?P<mark>[^(\s]{0,16})\(.*?\)(?P=mark)"   # raw string
      | "(?:\\.|[^"\\\n])*"                         # string
      | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'        # character, but not the mark in 1'000
      | //[^\n]* | /\*.*?\*/                        # comment
    """,
    re.DOTALL | re.VERBOSE,
)


def source_files(root, folders, suffixes):
    """All files below the folders with one of the suffixes, in order of name."""
    found = []
    for folder in folders:
        found += [p for p in (Path(root) / folder).rglob("*") if p.suffix in suffixes]
    return sorted(found)


def is_test(path):
    return path.name.endswith("_test.cpp")


def blank_comments(text, keep_strings=False):
    """The text without comments (and strings), with the same lines."""

    def blanked(match):
        token = match.group()
        if token[0] == "/":
            return " " + "\n" * token.count("\n")
        return token if keep_strings else '""' + "\n" * token.count("\n")

    return _TOKENS.sub(blanked, text)


def code_lines(path):
    """(line number, line without comments and strings) of a C++ file."""
    return enumerate(blank_comments(path.read_text()).split("\n"), start=1)


def run(findings):
    """Prints what findings(root) yields; root is the first argument or this repository."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY
    found = list(findings(root))
    for finding in found:
        print(finding)
    print(f"{Path(sys.argv[0]).name}: {len(found)} finding{'s' * (len(found) != 1)}")
    sys.exit(1 if found else 0)
