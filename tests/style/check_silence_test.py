"""check_silence.py finds printing, ending the process, and what differs between machines."""

import unittest

from tool_case import ToolCase


class CheckSilence(ToolCase):
    tool = "check_silence.py"

    def test_loud_calls_are_found(self):
        for call in ["printf(x)", "std::fprintf(f, x)", "std::cout << 1", "std::cerr << 1",
                     "std::abort()", "exit(1)", "std::exit(1)", "fmt::print(x)",
                     "std::terminate()"]:
            self.assert_finds({"src/data/a.cpp": f"void f() {{ {call}; }}\n"}, "src/data/a.cpp:1:")

    def test_quiet_code_passes(self):
        self.assert_passes({
            "src/data/a.cpp": '// printf(x)\nauto s = "std::cout"; snprintf(b, n, f);\n',
            "src/data/b.cpp": "tree.exit_node();\n",
            "src/data/a_test.cpp": "std::cout << 1;\n",
            "cli/main.cpp": "std::cout << 1;\n",
        })

    def test_unportable_arithmetic_is_found_where_models_are_decided(self):
        for call in ["std::log(x)", "log2(x)", "std::exp(x)", "std::pow(x, 2)", "::expf(x)",
                     "rand()", "std::uniform_int_distribution<int> d", "std::shuffle(a, b, g)",
                     "std::unordered_map<int, int> m", "std::reduce(a, b)", "long double y"]:
            for folder in ["split", "objective", "leaf", "grow"]:
                self.assert_finds({f"src/{folder}/a.h": f"x = 1;\ny = {call};\n"},
                                  f"src/{folder}/a.h:2:")

    def test_it_is_allowed_elsewhere_and_own_functions_everywhere(self):
        self.assert_passes({
            "src/report/a.cpp": "y = std::log(x);\n",
            "src/split/a.cpp": "y = portable_log(x) + std::sqrt(x) + xlogx(3);\n",
            "src/split/b.cpp": "y = table.exp(x) + brand(x);\n",
        })


if __name__ == "__main__":
    unittest.main()
