"""Every option is described in doc/options.md, every verb in README.md or doc/cli.md."""

import re
from pathlib import Path

from source_text import blank_comments, run, source_files

# A row of the option table begins with the name and the list of its aliases.
OPTION = re.compile(r'\{\s*"([a-z][a-z0-9-]*)"\s*,\s*\{')
# cli/command.h declares a function per verb.
VERB = re.compile(r"std::unique_ptr<Command>\s+(\w+)_command\(\);")


def names(files, pattern):
    found = set()
    for path in files:
        found |= set(pattern.findall(blank_comments(path.read_text(), keep_strings=True)))
    return sorted(found)


def text_of(root, *places):
    return "\n".join((root / p).read_text() for p in places if (root / p).exists())


def findings(root):
    root = Path(root)
    tables = [p for p in source_files(root, ["src/tasks"], [".cpp", ".inc"])
              if p.name.startswith("option_") and not p.name.endswith("_test.cpp")]
    options = names(tables, OPTION)
    if not options:
        yield "src/tasks: no option table found"
    described = text_of(root, "doc/options.md")
    for option in options:
        if not re.search(rf"`(--)?{re.escape(option)}\b(?!-)", described):
            yield f"doc/options.md: option `{option}` is not described"

    verbs = names([p for p in [root / "cli/command.h"] if p.exists()], VERB)
    if not verbs:
        yield "cli: no verb found"
    manual = text_of(root, "README.md", "doc/cli.md")
    for verb in (v.replace("_", "-") for v in verbs):
        if not re.search(rf"`(coppice )?{verb}\b|^#+ .*\b{verb}\b", manual, re.MULTILINE):
            yield f"README.md, doc/cli.md: verb `{verb}` is not described"


if __name__ == "__main__":
    run(findings)
