"""The service that a guard starts for itself."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, Dict

CLIENT = Path(__file__).resolve().parent.parent

SERVER = f"""
import os, sys, time
sys.path.insert(0, {str(CLIENT)!r})
from tests.stand_in import StandIn
log = open(os.environ["SERVER_LOG"], "a")
print("starting", os.getpid(), " ".join(sys.argv[1:]), os.getcwd(), file=log, flush=True)
if os.environ.get("SERVER_FAILS") == "old":
    sys.exit("SyntaxError: no such export\\n    at main.js:1\\n\\nNode.js v20.20.2")
if os.environ.get("SERVER_FAILS"):
    sys.exit("doomloop needs Node 22.12 or later\\x1b[2J")
time.sleep(float(os.environ.get("SERVER_DELAY", "0")))
server = StandIn(token=os.environ["DOOMLOOP_TOKEN"])
print("A line for people", file=sys.stderr, flush=True)
import threading
def read():
    sys.stdin.read()
    print("ended", os.getpid(), len(server.events), file=log, flush=True)
    os._exit(0)
threading.Thread(target=read, daemon=True).start()
print("Listening on " + server.url, flush=True)
while True:
    try:
        print("x" * 1000, flush=True)
    except OSError:
        pass  # Nobody reads it any more. The end of the input comes at the same time.
    time.sleep(0.01)
"""

AGENT = """
import sys, time
from doomloop import Guard
def play(times=7, pause=0):
    actions = []
    for _ in range(times):
        before = guard.call("search")
        actions.append(before.action)
        if not before.refused:
            actions.append(guard.result("nothing").action)
        time.sleep(pause)
    return actions
guard = Guard()
"""


@unittest.skipIf(os.name == "nt", "the stand-in is a shell script")
class Start(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.log = self.folder / "log"
        (self.folder / "server.py").write_text(SERVER)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.script(self.bin / "doomloop")

    def script(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\nexec {sys.executable} {self.folder}/server.py "$@"\n')
        path.chmod(0o755)

    def agent(self, code: str, **env: str) -> "subprocess.CompletedProcess[str]":
        (self.folder / "app").mkdir(exist_ok=True)
        file = self.folder / "app" / "agent.py"
        file.write_text(AGENT + code)
        kept: Dict[str, Any] = {"PYTHONPATH": str(CLIENT), "HOME": str(self.folder), "SERVER_LOG": str(self.log)}
        path = {"PATH": os.pathsep.join([str(self.bin), "/usr/bin", "/bin"])}
        return subprocess.run(
            [sys.executable, "-W", "ignore::DeprecationWarning", str(file)], env={**kept, **path, **env}, cwd=self.folder, capture_output=True, text=True, timeout=120
        )

    def logged(self, word: str) -> int:
        return self.log.read_text().count(word) if self.log.exists() else 0

    def await_logged(self, word: str) -> None:
        deadline = time.monotonic() + 60
        while not self.logged(word) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertTrue(self.logged(word))

    def test_is_used_and_ends_with_the_agent(self) -> None:
        ran = self.agent("assert guard.ready(60); guard._timeout = 60; print(play()[-1])")
        self.assertEqual((ran.stdout, ran.stderr), ("stop\n", ""))
        self.await_logged("ended")
        self.assertEqual(self.logged("starting"), 1)
        self.assertIn("serve --listen 127.0.0.1:0 --end-with-stdin", self.log.read_text())

    def test_hears_what_happened_before_it_was_up(self) -> None:
        ran = self.agent(
            "print(play(4)); assert guard.ready(60); guard._timeout = 60; print(play(1))",
            SERVER_DELAY="3",
        )
        self.assertEqual(ran.stdout.splitlines(), [str(["continue"] * 8), "['block']"], ran.stderr)
        self.assertEqual(ran.stderr, "")

    def test_does_not_slow_the_agent_while_it_starts(self) -> None:
        ran = self.agent("begin = time.monotonic(); play(200); print(time.monotonic() - begin)", SERVER_DELAY="90")
        # 400 exchanges with a deadline of 250 ms would take 100 seconds.
        self.assertLess(float(ran.stdout), 30)
        self.assertEqual(ran.stderr, "")

    def test_is_started_again_when_it_has_ended(self) -> None:
        ran = self.agent(
            "import os, signal\nassert guard.ready(60); guard._timeout = 60; play(2)\n"
            "os.kill(guard._service._child.pid, signal.SIGTERM); guard._service._child.wait()\n"
            "assert guard.ready(60); time.sleep(0.1); play(1); assert guard.ready(60); print(play()[-1])"
        )
        self.assertEqual((ran.stdout, ran.stderr), ("stop\n", ""))
        self.assertEqual(self.logged("starting"), 2)

    def test_that_fails_is_told_once_and_the_agent_goes_on(self) -> None:
        ran = self.agent("print(set(play(20, 0.05)))", SERVER_FAILS="1")
        self.assertEqual(ran.stdout, "{'continue'}\n")
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        self.assertIn("ended at once: doomloop needs Node 22.12 or later [2J", ran.stderr)

    def test_that_needs_another_node_says_which(self) -> None:
        ran = self.agent("play(10, 0.05)", SERVER_FAILS="old")
        self.assertIn("which needs Node 22.12 or later, ended at once: SyntaxError: no such export, Node.js v20.20.2", ran.stderr)

    def test_that_is_not_there_is_told_once_and_the_agent_goes_on(self) -> None:
        ran = self.agent("print(guard.ready(600), set(play(20, 0.05)))", PATH=str(self.folder / "empty"))
        self.assertEqual(ran.stdout, "False {'continue'}\n")
        self.assertEqual(ran.stderr.count("\n"), 1, ran.stderr)
        self.assertIn("npm install --global doomloop", ran.stderr)

    def test_is_shared_by_all_guards_of_a_process(self) -> None:
        ran = self.agent("guards = [Guard() for _ in range(20)]; assert all(one.ready(60) for one in guards); [one.call('a') for one in guards]")
        self.assertEqual(ran.stderr, "")
        self.assertEqual(self.logged("starting"), 1)

    def test_survives_the_end_of_a_process_that_was_forked(self) -> None:
        ran = self.agent(
            "import os\nassert guard.ready(60); guard._timeout = 60\n"
            "child = os.fork()\n"
            "if child == 0: play(2); sys.exit()\n"
            "os.waitpid(child, 0); print(play()[-1])"
        )
        self.assertEqual((ran.stdout, ran.stderr), ("stop\n", ""))
        self.assertEqual(self.logged("starting"), 1)


if __name__ == "__main__":
    unittest.main()
