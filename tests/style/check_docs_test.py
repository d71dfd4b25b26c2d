"""check_docs.py finds options and verbs that nobody described."""

import unittest

from tool_case import ToolCase

TABLE = 'table{\n  {"max-depth", {"depth"}, "N", "help"},\n  {"bins",\n   {}, "N", "help"},\n};\n'
COMMANDS = "std::unique_ptr<Command> train_command();\n"


class CheckDocs(ToolCase):
    tool = "check_docs.py"

    def repository(self, options, manual):
        return {"src/tasks/option_table.cpp": TABLE, "cli/command.h": COMMANDS,
                "doc/options.md": options, "README.md": manual}

    def test_described_passes(self):
        options = "| `--max-depth` | x |\n| `bins` | y |\n"
        self.assert_passes(self.repository(options, "`coppice train` x\n"))

    def test_missing_option_is_found(self):
        options = "`--bins`, `max-depth-limit`\n"
        self.assert_finds(self.repository(options, "`train`\n"), "`max-depth`")

    def test_missing_verb_is_found(self):
        self.assert_finds(self.repository("`max-depth` `bins`\n", "training\n"), "verb `train`")

    def test_missing_table_is_found(self):
        self.assert_finds({"cli/command.h": COMMANDS, "README.md": "`train`"}, "no option table")


if __name__ == "__main__":
    unittest.main()
