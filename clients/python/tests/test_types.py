"""The client is typed throughout."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "mypy is required")
    def test_are_complete(self) -> None:
        with tempfile.TemporaryDirectory() as cache:
            words = ["mypy", "--strict", "--cache-dir", cache, "doomloop.py"]
            ran = subprocess.run(words, cwd=CLIENT, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main()
