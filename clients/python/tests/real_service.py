"""The real service: of this repository if the tests are in it, else the program on the PATH."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import unittest
from pathlib import Path
from typing import List, Optional

MAIN = Path(__file__).resolve().parents[3] / "packages" / "doomloop" / "src" / "cli" / "main.ts"
TOKEN = "a-token-for-tests-only"


def command() -> Optional[List[str]]:
    """DOOMLOOP_TEST_SERVICE names a program, with its arguments each on a line."""
    named = os.environ.get("DOOMLOOP_TEST_SERVICE")
    if named:
        return named.splitlines()
    node = shutil.which("node")
    if MAIN.exists() and node is not None:
        version = re.match(r"v(\d+)\.(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True).stdout)
        if version and (int(version[1]), int(version[2])) >= (22, 18):
            return [node, str(MAIN)]
    program = shutil.which("doomloop")
    return [program] if program else None


def required() -> List[str]:
    found = command()
    if found is None:
        raise unittest.SkipTest("there is no service: Node 22.18 or later, or a program `doomloop`, is required")
    return found


class RealService:
    def __init__(self, port: int = 0) -> None:
        self._process = subprocess.Popen(
            [*required(), "serve", "--listen", f"127.0.0.1:{port}"],
            env={**os.environ, "DOOMLOOP_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode()
        self.url = line.replace("Listening on ", "").strip()
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def pause(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)
