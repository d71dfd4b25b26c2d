"""Runs one command at a time and says what it printed, how long it took and how much memory it had.

The calling program must stay small: a child counts the memory of its parent at the start.
"""

import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass


class CommandFailed(Exception):
    """A command that was not found or did not end with 0; the text holds its last words."""


@dataclass(frozen=True)
class Finished:
    text: str
    seconds: float  # wall time of the whole process
    peak_bytes: int

    def json(self):
        return json.loads(self.text)


def finish(command, environment=None):
    """Runs the command to its end; `environment` is added to that of this process."""
    command = [str(word) for word in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                command, stdout=out, stderr=err, env={**os.environ, **(environment or {})}
            )
        except OSError as error:
            raise CommandFailed(f"{command[0]}: {error.strerror}") from error
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            words = f"ended with {process.returncode}: {tail(err)}"
            raise CommandFailed(f"{' '.join(command)}\n{words}")
        out.seek(0)
        return Finished(out.read().decode().strip(), seconds, usage.ru_maxrss * 1024)


def tail(file):
    file.seek(0)
    return file.read().decode(errors="replace").strip()[-1000:]


def succeeds(command):
    try:
        finish(command)
    except CommandFailed:
        return False
    return True
