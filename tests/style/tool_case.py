"""Runs a checking tool on a small made-up repository."""

import contextlib
import importlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))


class ToolCase(unittest.TestCase):
    tool = ""

    def run_tool(self, files):
        """(exit code, output) for a repository with these files: {path: text}."""
        tool = importlib.import_module(self.tool.removesuffix(".py"))
        output = io.StringIO()
        with tempfile.TemporaryDirectory() as root:
            for place, text in files.items():
                path = Path(root) / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            with mock.patch.object(sys, "argv", [self.tool, root]), \
                    contextlib.redirect_stdout(output), self.assertRaises(SystemExit) as end:
                tool.run(tool.findings)
        return end.exception.code, output.getvalue()

    def assert_passes(self, files):
        code, output = self.run_tool(files)
        self.assertEqual(code, 0, output)

    def assert_finds(self, files, *expected):
        """Exactly one finding per expected text, each containing it."""
        code, output = self.run_tool(files)
        self.assertEqual(code, 1, output)
        for text in expected:
            self.assertIn(text, output)
        self.assertEqual(len(output.splitlines()), len(expected) + 1, output)
