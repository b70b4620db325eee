"""The recipes in examples/, with the real packages where there are any, in front of a scripted model."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Optional

from .real_service import TOKEN, RealService
from .upstream import Upstream

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
STOPPED = "Stopped: the agent called `read_file` "


class Recipes(unittest.TestCase):
    service: Optional[RealService] = None

    @classmethod
    def setUpClass(cls) -> None:
        # In a chroot there is no Node: the service runs outside.
        cls.url = os.environ.get("DOOMLOOP_TEST_URL", "")
        if not cls.url:
            cls.service = RealService()
            cls.url = cls.service.url

    @classmethod
    def tearDownClass(cls) -> None:
        if cls.service is not None:
            cls.service.kill()

    def run_recipe(self, name: str, package: str, upstream: Optional[Upstream] = None, *words: str) -> str:
        if importlib.util.find_spec(package) is None:
            self.skipTest(f"the package {package} is not installed")
        with tempfile.TemporaryDirectory() as home:
            base = upstream.url if upstream else ""
            model = {"model_id": "scripted", "model_name": "m", "api_base": base + "/v1", "supports_tools": True}
            Path(home, "extra-openai-models.yaml").write_text(json.dumps([model]))
            env = {
                "PATH": os.environ.get("PATH", ""),
                "PYTHONPATH": str(HERE.parent),
                "HOME": home,
                "LLM_USER_PATH": home,
                "OPENAI_BASE_URL": base + "/v1",
                "OPENAI_API_KEY": "none",
                "ANTHROPIC_BASE_URL": base,
                "ANTHROPIC_API_KEY": "none",
                "DOOMLOOP_URL": self.url,
                "DOOMLOOP_TOKEN": TOKEN,
            }
            command = [sys.executable, str(HERE / "run_recipe.py"), str(EXAMPLES / f"{name}.py"), *words]
            ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("doomloop:", ran.stderr)
        return ran.stdout.strip()

    def check(self, name: str, package: str, *words: str) -> None:
        """A loop is ended, and its model has read the words; a healthy run ends as it would, and its model has read none."""
        looping, healthy = Upstream(), Upstream(calls=12, varies=True)
        self.addCleanup(looping.close)
        self.addCleanup(healthy.close)
        self.assertIn(STOPPED, self.run_recipe(name, package, looping, *words))
        self.assertEqual(len(looping.requests), 20)
        said = ["[doomloop]" in json.dumps(request) for request in looping.requests]
        self.assertEqual(said, [False] * 3 + [True] * 17)
        self.assertIn("Not run:", json.dumps(looping.requests[-1]))
        self.assertIn("done", self.run_recipe(name, package, healthy, *words))
        self.assertEqual(len(healthy.requests), 13)
        self.assertNotIn("[doomloop]", json.dumps(healthy.requests))

    def test_openai_chat(self) -> None:
        self.check("openai_chat", "openai")

    def test_openai_responses(self) -> None:
        self.check("openai_responses", "openai")

    def test_anthropic_loop(self) -> None:
        self.check("anthropic_loop", "anthropic")

    def test_anthropic_tool_runner(self) -> None:
        self.check("anthropic_tool_runner", "anthropic")

    def test_llm_tools(self) -> None:
        self.check("llm_tools", "llm", "scripted")

    def test_mcp_client(self) -> None:
        self.assertIn("run is stopped", self.run_recipe("mcp_client", "mcp", None, str(HERE / "mcp_server.py")))

    def test_are_short(self) -> None:
        for recipe in EXAMPLES.glob("*.py"):
            self.assertLess(len(recipe.read_text().splitlines()), 30, recipe.name)


if __name__ == "__main__":
    unittest.main()
