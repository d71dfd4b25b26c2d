"""check_layers.py finds includes that go upwards and task names where none belong."""

import unittest

from tool_case import ToolCase


class CheckLayers(ToolCase):
    tool = "check_layers.py"

    def test_lower_layers_and_public_headers_may_be_included(self):
        self.assert_passes({
            "include/coppice/fit.h": '#include "coppice/model.h"\n',
            "src/grow/tree_grower.h": '#include "split/node_splitter.h"\n',
            "src/grow/tree_grower.cpp": '#include "coppice/model.h"\n',
            "src/split/split_search.h": '#include "objective/objective.h"\n',
            "src/objective/variance.cpp": '#include "split/split_search.h"\n',
            "src/objective/class_impurity.h": '#include "split/running_split.h"\n',
            "src/c_api/c_api.cpp": '#include "report/metrics.h"\n',
            "cli/main.cpp": '#include "command.h"\n#include "tasks/option_table.h"\n',
        })

    def test_upwards_is_found(self):
        self.assert_finds({"src/base/a.h": '#pragma once\n#include "data/b.h"\n'},
                          'src/base/a.h:2: "data/b.h": base must not include data')

    def test_every_layer_has_something_above_it(self):
        for folder, above in [("data", "split"), ("split", "grow"), ("leaf", "objective"),
                              ("model", "infer"), ("infer", "tasks"), ("grow", "infer"),
                              ("report", "tasks"), ("tasks", "c_api"), ("c_api", "cli")]:
            self.assert_finds({f"src/{folder}/x.h": f'#include "{above}/a.h"\n'},
                              f"{folder} must not include")

    def test_exceptions_are_no_wider_than_written(self):
        self.assert_finds({"src/split/a.h": '#include "objective/variance.h"\n'}, "split must not")
        self.assert_finds({"src/objective/a.h": '#include "split/split_search.h"\n'},
                          "objective must not")

    def test_public_headers_stay_public(self):
        self.assert_finds({"include/coppice/a.h": '#include "data/b.h"\n'}, "public headers")

    def test_folder_is_part_of_the_name(self):
        self.assert_finds({"src/data/a.cpp": '#include "b.h"\n'}, "included by folder")

    def test_unknown_folder_is_found(self):
        self.assert_finds({"src/misc/a.cpp": "\n"}, "has no layer")

    def test_tasks_are_not_named(self):
        self.assert_finds({"src/grow/a.cpp": "// regression\nvoid grow_regression_tree();\n"},
                          "src/grow/a.cpp:2: names a task")
        self.assert_passes({"src/grow/a.cpp": "/* classification\n density */ int x;\n",
                            "src/tasks/a.cpp": "struct Classification;\n",
                            "src/grow/a_test.cpp": "Regression r;\n"})


if __name__ == "__main__":
    unittest.main()
