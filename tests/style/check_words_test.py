"""check_words.py finds unfinished work and names of places."""

import unittest

from tool_case import ToolCase


class CheckWords(ToolCase):
    tool = "check_words.py"

    def test_words_are_found_in_any_text(self):
        # In halves, so that this file does not contain them.
        for halves in [("/wo", "rk/main"), ("sub", "agent"), ("TO", "DO"), ("FIX", "ME"),
                       ("/home/", "me/x")]:
            self.assert_finds({"doc/a.md": "first\nsee " + "".join(halves) + "\n"}, "doc/a.md:2:")

    def test_ordinary_text_passes(self):
        self.assert_passes({"a.md": "framework/ network/a todos\n", "build/a.txt": "TO" + "DO\n"})

    def test_binary_files_are_not_text(self):
        self.assert_passes({"a.bin": "\0" + "TO" + "DO\n"})


if __name__ == "__main__":
    unittest.main()
