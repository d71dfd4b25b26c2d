"""The library never prints and never ends the process; what decides a model is the same everywhere.

The second set of rules holds in the folders whose results reach a model file.
"""

import re

from source_text import code_lines, is_test, run, source_files

LOUD = {
    r"\bv?f?printf\s*\(": "prints",
    r"\bf?puts\s*\(|\bputchar\s*\(|\bperror\s*\(": "prints",
    r"\bfmt::print\w*\s*\(": "prints",
    r"\bstd::(cout|cerr|clog)\b": "prints",
    r"\b(abort|quick_exit|_?[eE]xit)\s*\(|\bstd::terminate\b": "ends the process",
}

DECIDING = ["src/split", "src/objective", "src/leaf", "src/grow"]
UNPORTABLE = {
    r"\bstd::\w+_distribution\b": "differs between libraries; use RandomStream",
    r"\bstd::(random_)?shuffle\b": "differs between libraries; use RandomStream",
    r"(?<![\w.>])s?rand\s*\(|\brandom_device\b": "is not reproducible; use RandomStream",
    r"(?<![\w.>:])(std::|::)?(log|log2|log10|log1p|exp|exp2|expm1|pow|cbrt|hypot|sin|cos|tan|"
    r"asin|acos|atan|atan2|sinh|cosh|tanh|erf|erfc|[lt]gamma)[fl]?\s*\(":
        "differs between systems; use base/portable_math.h",
    r"\bunordered_(multi)?(map|set)\b": "has no fixed order; use a vector or std::map",
    r"\bstd::(reduce|transform_reduce)\b": "adds in any order",
    r"\blong\s+double\b": "differs between machines",
}


def matches(root, folders, rules):
    compiled = [(re.compile(pattern), reason) for pattern, reason in rules.items()]
    for path in source_files(root, folders, [".h", ".cpp", ".inc"]):
        if is_test(path):
            continue
        for number, line in code_lines(path):
            for pattern, reason in compiled:
                if match := pattern.search(line):
                    what = match.group().rstrip("( ")
                    yield f"{path.relative_to(root)}:{number}: {what} {reason}"


def findings(root):
    yield from matches(root, ["src", "include"], LOUD)
    yield from matches(root, DECIDING, UNPORTABLE)


if __name__ == "__main__":
    run(findings)
