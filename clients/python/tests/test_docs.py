"""What the pages show: the first agent from an empty folder, and recipes that are at least Python."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import doomloop

from .real_service import required

CLIENT = Path(__file__).resolve().parent.parent
NOT_RUN = CLIENT / "examples" / "not_run"
SNIPPETS = CLIENT.parent.parent / "docs" / "snippets" / "python"


class Pages(unittest.TestCase):
    @unittest.skipIf(os.name == "nt", "the program is a shell script here")
    def test_the_first_agent_is_told_refused_and_ended(self) -> None:
        """As somebody would try it: one file, one program, and `doomloop` on the PATH."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "bin", "doomloop")
            program.parent.mkdir()
            program.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in required()) + ' "$@"\n')
            program.chmod(0o755)
            shutil.copy(doomloop.__file__, Path(folder, "doomloop.py"))
            shutil.copy(CLIENT / "examples" / "first_agent.py", folder)
            env = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": folder}
            # One exchange may take as long as a slow machine needs.
            code = "import doomloop, runpy; doomloop.Guard.__init__.__kwdefaults__['timeout'] = 60; runpy.run_path('first_agent.py')"
            ran = subprocess.run([sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True, timeout=300)
        self.assertEqual(ran.stderr, "")
        turns = ran.stdout.split("--- ")[1:]
        self.assertEqual([turn.partition("\n")[2].partition("\n")[0] for turn in turns[:9]], ["app = App()"] * 9)
        self.assertEqual([number for number, turn in enumerate(turns, 1) if "[doomloop]" in turn], [3, 5, 9, 10, 11, 13, 14, *range(16, 21)])
        self.assertIn("Not run:", turns[9])
        self.assertIn("LOOP_DETECTED: Stopped: the agent called `read_file` 11 times", turns[19])

    def test_recipes_that_are_not_run_are_python_and_short(self) -> None:
        recipes = sorted(NOT_RUN.glob("*.py"))
        self.assertGreater(len(recipes), 5)
        for recipe in [*recipes, *sorted(SNIPPETS.glob("*.py"))]:
            text = recipe.read_text(encoding="utf-8")
            ast.parse(text, recipe.name)
            self.assertLess(len(text.splitlines()), 30, recipe.name)


if __name__ == "__main__":
    unittest.main()
