"""check_sizes.py finds long files and long functions, and only these."""

import unittest

from tool_case import ToolCase


def function(head, lines):
    return head + " {\n" + "  step();\n" * (lines - 2) + "}\n"


class CheckSizes(ToolCase):
    tool = "check_sizes.py"

    def test_limits_of_files(self):
        self.assert_passes({"src/a/a.h": "\n" * 300, "src/a/a.cpp": "\n" * 400})
        self.assert_finds({"src/a/a.h": "\n" * 301, "src/a/a.cpp": "\n" * 401,
                           "tools/a.py": "\n" * 401},
                          "a.h: 301 lines", "a.cpp: 401 lines", "a.py: 401 lines")

    def test_functions(self):
        self.assert_passes({"src/a/a.cpp": function("void f(int x)", 60)})
        self.assert_finds({"src/a/a.cpp": "\n\n" + function("void f(int x)", 61)},
                          "a.cpp:3: 61 lines; at most 60: void f(int x)")

    def test_members_and_templates(self):
        text = "namespace n {\nclass C {\n public:\n"
        text += function("int f() const noexcept", 61) + "};\n}\n"
        self.assert_finds({"src/a/a.h": text}, "int f() const noexcept")
        text = function("template <class T>\nvoid g(T x)", 61)
        self.assert_finds({"src/a/a.h": text}, "void g(T x)")

    def test_a_long_class_or_table_is_no_function(self):
        self.assert_passes({
            "src/a/a.h": "struct S {\n" + "  int f() { return 1; }\n" * 80 + "};\n",
            "src/a/b.cpp": "const int kTable[] = {\n" + "  one(1),\n" * 80 + "};\n",
            "src/a/c.cpp": "namespace n {\n" + "void f();\n" * 80 + "}\n",
        })

    def test_braces_in_strings_and_comments_do_not_count(self):
        text = 'void f() {\n  use("}", \'{\');  // {{\n' + "  step();\n" * 60 + "}\n"
        self.assert_finds({"src/a/a.cpp": text}, "63 lines")

    def test_python_functions(self):
        self.assert_finds({"tools/a.py": "def f():\n" + "    pass\n" * 60}, "61 lines")


if __name__ == "__main__":
    unittest.main()
