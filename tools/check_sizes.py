"""Small files and small functions: 300 lines for a header, 400 for a source, 60 for a function.

C++ functions are found by matching braces, which is right for this code and approximate in general.
"""

import ast
import re

from source_text import blank_comments, run, source_files

FOLDERS = ["include", "src", "cli", "tests", "bench", "examples", "tools"]
FILE_LIMITS = {".h": 300, ".inc": 300, ".cpp": 400, ".py": 400}
FUNCTION_LIMIT = 60

NOT_A_FUNCTION = re.compile(r"^\s*(namespace|class|struct|union|enum|extern|if|for|while|switch)\b")


def cpp_functions(text):
    """(first line, number of lines, beginning) of every outermost { ... } that follows a (...)."""
    text = re.sub(r"^[ \t]*#.*", "", blank_comments(text), flags=re.MULTILINE)
    depth, function_depth, function_start = 0, None, 0
    parentheses, head_start = 0, 0
    for position, symbol in enumerate(text):
        if symbol in "()":
            parentheses += 1 if symbol == "(" else -1
        elif symbol == "{":
            head = text[head_start:position].strip()
            is_function = "(" in head and not NOT_A_FUNCTION.match(head) and not parentheses
            if function_depth is None and is_function and not head.endswith("="):
                function_depth = depth
                function_start = position - len(text[head_start:position].lstrip())
            depth += 1
        elif symbol == "}":
            depth -= 1
            if depth == function_depth:
                first = text.count("\n", 0, function_start) + 1
                beginning = " ".join(text[function_start:position].split("{")[0].split())
                yield first, text.count("\n", function_start, position) + 1, beginning[:60]
                function_depth = None
        if symbol in "{};" and not parentheses:
            head_start = position + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1, node.name


def findings(root):
    for path in source_files(root, FOLDERS, FILE_LIMITS):
        place, text = path.relative_to(root), path.read_text()
        lines, limit = text.count("\n"), FILE_LIMITS[path.suffix]
        if lines > limit:
            yield f"{place}: {lines} lines; at most {limit}"
        functions = python_functions if path.suffix == ".py" else cpp_functions
        for first, length, name in functions(text):
            if length > FUNCTION_LIMIT:
                yield f"{place}:{first}: {length} lines; at most {FUNCTION_LIMIT}: {name}"


if __name__ == "__main__":
    run(findings)
