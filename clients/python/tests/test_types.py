"""The client is typed throughout."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import doomloop

CLIENT = Path(__file__).resolve().parent.parent


class Types(unittest.TestCase):
    def test_the_client_that_is_tested_is_the_one_that_is_meant(self) -> None:
        is_installed = "site-packages" in doomloop.__file__
        self.assertEqual(is_installed, bool(os.environ.get("DOOMLOOP_TEST_INSTALLED")), doomloop.__file__)

    def test_the_file_is_short_enough_to_read(self) -> None:
        self.assertLessEqual(len(Path(doomloop.__file__).read_text(encoding="utf-8").splitlines()), 960)

    @unittest.skipUnless(shutil.which("mypy"), "mypy is required")
    def test_are_complete(self) -> None:
        with tempfile.TemporaryDirectory() as cache:
            words = ["mypy", "--strict", "--cache-dir", cache, doomloop.__file__]
            ran = subprocess.run(words, cwd=CLIENT, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    unittest.main()
