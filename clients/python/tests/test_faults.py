"""Whatever happens to the service, the agent goes on, and is not slowed."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, List, cast
from unittest import mock

import doomloop
from doomloop import Guard

from .stand_in import TOKEN, StandIn

ANSWER = "No results found."


class FaultTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = StandIn()
        self.addCleanup(lambda: self.server.close())
        doomloop._logged.clear()

    def guard(self, **options: Any) -> Guard:
        guard = Guard(**{"url": self.server.url, "token": TOKEN, **options})
        # A slow machine is no reason to fail: only tests of the deadline have a short one.
        guard._timeout = options.get("timeout", 20)
        return guard

    def play(self, guard: Guard, times: int = 12) -> List[str]:
        actions = []
        for _ in range(times):
            before = guard.call("search", {"q": "login"})
            actions.append(before.action)
            if before.refused:
                continue
            actions.append(guard.result(ANSWER).action)
        return actions

    def awake(self, guard: Guard) -> None:
        """Ends the rest after a failure."""
        guard._service._resumes_at = 0


class Deadlines(FaultTest):
    def longest(self, guard: Guard, times: int = 100) -> float:
        """The seconds that all calls of a run waited."""
        start = time.monotonic()
        with self.assertLogs("doomloop", "WARNING") as logs:
            self.assertEqual(set(self.play(guard, times)), {"continue"})
        # Services of other tests may still be told of.
        self.assertEqual(len([line for line in logs.output if guard._service._name in line]), 1, logs.output)
        return time.monotonic() - start

    def test_waits_once_for_a_service_that_stalls_or_drips(self) -> None:
        for fault in ("stall", "drip"):
            with self.subTest(fault):
                self.setUp()
                self.server.fault = fault
                # A hundred calls and results would wait for 50 seconds.
                self.assertLess(self.longest(self.guard(timeout=0.25)), 20)

    def test_waits_once_for_an_address_that_swallows_everything(self) -> None:
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen(1)
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            self.assertLess(self.longest(self.guard(url=url, timeout=0.25)), 20)

    def test_does_not_wait_for_a_name_server(self) -> None:
        asked = threading.Event()

        def slow(*_: object, **__: object) -> Any:
            asked.set()
            time.sleep(3_600)

        with mock.patch("socket.getaddrinfo", slow), mock.patch.object(doomloop._Service, "PATIENCE", 0.5):
            start = time.monotonic()
            guard = self.guard(url=f"http://no-such-name.invalid:{self.server.port}", timeout=0.25)
            self.assertEqual(set(self.play(guard, 100)), {"continue"})
            self.assertLess(time.monotonic() - start, 20)
        self.assertTrue(asked.is_set())

    def test_makes_no_other_guard_wait_either(self) -> None:
        self.server.fault = "stall"

        async def play() -> float:
            guards = [self.guard(timeout=0.25) for _ in range(1000)]
            start = time.monotonic()
            await asyncio.gather(*(guard.acall("search") for guard in guards))
            return time.monotonic() - start

        with self.assertLogs("doomloop", "WARNING"):
            self.assertLess(asyncio.run(play()), 20)


class Recovery(FaultTest):
    def test_says_once_what_is_wrong_and_goes_on(self) -> None:
        for fault in ("reset", "garbage", "noise", "short", "deep", "500", "503"):
            with self.subTest(fault):
                self.setUp()
                self.server.fault = fault
                guard = self.guard()
                with self.assertLogs("doomloop", "WARNING") as logs:
                    self.assertEqual(set(self.play(guard)), {"continue"})
                    self.awake(guard)
                    self.assertEqual(set(self.play(guard)), {"continue"})
                self.assertEqual(len(logs.output), 1, logs.output)
                self.assertIn("goes on without a guard", logs.output[0])

    def test_rests_longer_after_each_failure(self) -> None:
        self.server.fault = "500"
        guard = self.guard()
        service = guard._service
        rests = []
        with self.assertLogs("doomloop", "WARNING"):
            for _ in range(9):
                self.awake(guard)
                guard.call("search")
                rests.append(service._rest)
        self.assertEqual(rests, [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        asked = len(self.server.requests)
        guard.call("search")
        self.assertEqual(len(self.server.requests), asked)

    def test_sends_what_happened_meanwhile_once_and_in_order(self) -> None:
        guard = self.guard()
        for fault in (None, "500", "stall", None):
            self.server.fault = fault
            guard._timeout = 0.25 if fault == "stall" else 20
            self.awake(guard)
            with self.assertLogs("doomloop") if fault == "500" else mock.MagicMock():
                guard.call("search", {"page": str(fault)})
                guard.result("x")
        self.assertEqual([event["type"] for event in self.server.events], ["call", "result"] * 4)
        numbers = [event["seq"] for event in self.server.events]
        self.assertEqual(numbers, sorted(set(numbers)))

    def test_delivers_words_late_whose_answer_was_lost(self) -> None:
        guard = self.guard()
        self.play(guard, 2)
        guard.call("search", {"q": "login"})
        self.server.fault = "500"
        with self.assertLogs("doomloop", "WARNING"):
            self.assertEqual(guard.result(ANSWER).action, "continue")
        self.server.fault = None
        self.awake(guard)
        self.assertEqual(guard.tool(name="read")(lambda: "a file")(), "a file\n\n[doomloop] 3 times")

    def test_says_of_what_the_service_missed_that_nobody_was_told(self) -> None:
        guard = self.guard()
        self.play(guard, 1)
        guard._service._resumes_at = time.monotonic() + 600
        self.play(guard, 2)
        self.awake(guard)
        self.play(guard, 1)
        told = [event.get("untold", False) for event in self.server.events]
        self.assertEqual(told, [False] * 2 + [True] * 4 + [False] * 2)

    def test_keeps_a_stop_when_the_service_goes(self) -> None:
        guard = self.guard()
        self.play(guard, 7)
        self.server.fault = "500"
        with self.assertLogs("doomloop", "WARNING"):
            self.assertEqual(guard.call("search").action, "stop")
        guard.user("go on")
        self.assertEqual(guard.call("search").action, "continue")

    def test_keeps_a_stop_when_the_service_has_forgotten_the_run(self) -> None:
        for forgive in (lambda guard: guard.user("go on"), lambda guard: guard.allow()):
            guard = self.guard()
            self.play(guard, 7)
            self.server.calls.clear()
            self.server.judged.clear()
            ran: List[int] = []
            search = guard.tool(name="search")(lambda q: ran.append(1))
            self.assertEqual([search("login") for _ in range(3)], ["[doomloop] stopped"] * 3)
            before = guard.call("search", id="own")
            self.assertEqual((before.action, before.id, ran), ("stop", "own", []))
            forgive(guard)
            self.assertEqual(guard.call("search").action, "continue")

    def test_finishes_when_the_service_is_killed_and_guards_again_when_it_is_back(self) -> None:
        guard = self.guard()
        self.play(guard, 3)
        port = self.server.port
        self.server.close()
        with self.assertLogs("doomloop", "WARNING") as logs:
            self.assertEqual(set(self.play(guard, 20)), {"continue"})
        self.assertEqual(len(logs.output), 1)
        self.server = StandIn(port)
        self.awake(guard)
        with self.assertLogs("doomloop", "INFO") as logs:
            self.assertIn("stop", self.play(guard, 2))
        self.assertIn("answers again", logs.output[0])

    def test_says_once_that_a_service_which_comes_and_goes_answers_again(self) -> None:
        guard = self.guard()
        with self.assertLogs("doomloop", "INFO") as logs:
            for fault in ("500", None, "500", None):
                self.server.fault = fault
                self.awake(guard)
                self.play(guard, 1)
        self.assertEqual([line.split(":")[0] for line in logs.output], ["WARNING", "INFO"])

    def test_says_a_minute_later_that_a_service_is_gone_for_good(self) -> None:
        guard = self.guard()

        def pass_by(seconds: float) -> None:
            doomloop._logged.update({about: at - seconds for about, at in doomloop._logged.items()})

        with self.assertLogs("doomloop", "INFO") as logs:
            for fault, seconds in (("500", 5), (None, 5), ("500", 5), ("500", 60), ("500", 60), ("500", 60), (None, 60)):
                self.server.fault = fault
                self.awake(guard)
                self.play(guard, 1)
                pass_by(seconds)
        self.assertEqual([line.split(":")[0] for line in logs.output], ["WARNING", "INFO", "WARNING", "INFO"])
        self.assertIn("answers again", logs.output[-1])

    def test_waits_for_a_service_that_was_late_once(self) -> None:
        guard = self.guard()
        self.play(guard, 1)
        # As a service that the client has started itself.
        guard._service._url = ""
        with self.assertLogs("doomloop", "WARNING"):
            guard._service.fail("it did not answer in time")
            self.assertTrue(guard._service.is_resting())
            self.assertTrue(guard.ready(20))

    def test_tells_the_service_that_events_were_lost(self) -> None:
        """What was between two equal calls may have been progress: the guard must not count them as repeats."""
        guard = self.guard()
        self.play(guard, 4)
        self.server.fault = "500"
        with self.assertLogs("doomloop", "WARNING"):
            for page in range(300):
                guard.call("edit", {"page": page})
                guard.result("ok")
        self.assertLess(len(guard._pending), 300)
        self.server.fault = None
        self.awake(guard)
        self.assertEqual(guard.call("search", {"q": "login"}).action, "continue")
        lost = [event for event in self.server.events if event["type"] == "state"]
        self.assertEqual({event["key"] for event in lost}, {"missed-events"})

    def test_keeps_at_most_a_few_megabytes(self) -> None:
        self.server.fault = "500"
        guard = self.guard()
        with self.assertLogs("doomloop", "WARNING"):
            for _ in range(100):
                guard.call("search")
                guard.result("x" * 200_000)
                self.assertLess(sum(event.size for event in guard._pending), 4_000_000)

    def test_drops_events_that_the_service_refuses(self) -> None:
        self.server.fault = "refuse"
        guard = self.guard()
        with self.assertLogs("doomloop", "WARNING") as logs:
            self.assertEqual(set(self.play(guard)), {"continue"})
        self.assertEqual(len(logs.output), 1)
        self.assertIn("400: no such policy [2J", logs.output[0])
        self.server.fault = None
        self.assertIn("nudge", self.play(guard))

    def test_keeps_the_order_of_events_around_those_that_were_refused(self) -> None:
        guard = self.guard()
        self.server.fault = "500"
        with self.assertLogs("doomloop", "WARNING"):
            for page in range(100):
                guard.call("edit", {"page": page})
                guard.result("ok")
            self.server.fault = "refuse once"
            self.awake(guard)
            guard.call("search")
            guard.call("search")
        numbers = [event["seq"] for event in self.server.events[1:]]
        self.assertEqual(numbers, sorted(set(numbers)))
        # The first one was heard before the service failed; all that waited were refused, and one tells of that.
        self.assertEqual([event["type"] for event in self.server.events[1:]], ["state", "call"])

    def test_says_that_the_token_is_wrong(self) -> None:
        with self.assertLogs("doomloop", "WARNING") as logs:
            guard = self.guard(token="another-token")
            self.assertFalse(guard.ready(0.3))
            self.assertEqual(set(self.play(guard)), {"continue"})
        self.assertIn("401: a token is required", logs.output[0])


class OurOwnFaults(FaultTest):
    def test_never_reach_the_agent(self) -> None:
        def broken(*_: object) -> Any:
            raise RuntimeError("a bug")

        for target in ("_plain", "_output_fields", "_decision_of", "_problem_in"):
            with self.subTest(target), mock.patch.object(doomloop, target, broken):
                doomloop._logged.clear()
                with self.assertLogs("doomloop", "WARNING") as logs:
                    self.server.fault = "refuse" if target == "_problem_in" else None
                    self.assertEqual(set(self.play(self.guard(), 3)), {"continue"})
                self.assertEqual(len(logs.output), len(set(logs.output)), logs.output)

    def test_never_come_from_odd_arguments(self) -> None:
        guard = self.guard()
        guard._timeout = Guard(url=self.server.url, token=TOKEN, timeout=1e300)._timeout
        self.server.fault = "refuse"
        with self.assertLogs("doomloop", "WARNING"):
            for event in (None, "x", [1]):
                self.assertEqual(guard.observe(cast(Any, event)).action, "continue")
            for timeout in (None, "x"):
                self.assertFalse(guard.ready(cast(Any, timeout)))
        self.assertTrue(guard.ready(1e300))
        self.server.fault = None
        self.assertEqual(guard.call("search").action, "continue")

    def test_never_come_from_the_clock(self) -> None:
        with self.assertLogs("doomloop", "WARNING"):
            for clock in (lambda: float("nan"), lambda: None, lambda: {}["none"]):
                self.play(self.guard(clock=clock), 2)
        self.assertEqual([event for event in self.server.events if "at" in event], [])
        self.assertEqual(len(self.server.events), 12)


@unittest.skipUnless(shutil.which("openssl"), "openssl is required")
class Encrypted(FaultTest):
    def setUp(self) -> None:
        super().setUp()
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        key, self.certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1,DNS:localhost"
        subprocess.run([*command.split(), "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server._server.socket = context.wrap_socket(self.server._server.socket, server_side=True)

    def test_asks_a_service_whose_certificate_it_can_verify(self) -> None:
        with mock.patch.dict(os.environ, {"SSL_CERT_FILE": self.certificate}):
            for host in ("127.0.0.1", "localhost"):
                guard = self.guard(url=f"https://{host}:{self.server.port}")
                self.assertIn("stop", self.play(guard))

    def test_refuses_any_other(self) -> None:
        guard = self.guard(url=f"https://127.0.0.1:{self.server.port}")
        with self.assertLogs("doomloop", "WARNING") as logs:
            self.assertEqual(set(self.play(guard)), {"continue"})
        self.assertIn("certificate verify failed", "".join(logs.output).lower())  # A service of an earlier test may time out meanwhile.
        self.assertEqual(self.server.events, [])


class Settings(unittest.TestCase):
    def environment(self, **values: str) -> Any:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("DOOMLOOP")}
        return mock.patch.dict(os.environ, {**kept, **values}, clear=True)

    def warned(self, act: Callable[[], Any]) -> str:
        with self.assertLogs("doomloop", "WARNING") as logs:
            act()
            deadline = time.monotonic() + 60
            while not logs.output and time.monotonic() < deadline:
                time.sleep(0.01)
        self.assertEqual(len(logs.output), 1)
        return logs.output[0]

    def test_refuses_an_address_that_is_none(self) -> None:
        for url in ("127.0.0.1:4177", "ftp://a", "http://", "http://a:b", "http://u:p@a", "http://a/?token=x", cast(Any, 5)):
            with self.assertRaises(ValueError):
                Guard(url=url)

    def test_refuses_a_timeout_that_is_none(self) -> None:
        for timeout in (None, 0, -1, math.inf, math.nan, "1"):
            with self.assertRaisesRegex(ValueError, "timeout: seconds above 0"):
                Guard(url="http://127.0.0.1:9", token="t", timeout=cast(Any, timeout))

    def test_is_not_ready_where_nobody_listens(self) -> None:
        self.assertIn("cannot be used", self.warned(lambda: self.assertFalse(Guard(url="http://127.0.0.1:9/none", token="t").ready(0.3))))

    def test_is_not_ready_where_something_else_listens(self) -> None:
        server = StandIn()
        self.addCleanup(server.close)
        server.fault = "not doomloop"
        guard = Guard(url=server.url, token=TOKEN)
        self.assertIn("it is not doomloop, it answers 404", self.warned(lambda: self.assertFalse(guard.ready(0.3))))

    def test_goes_on_with_a_wrong_address_in_the_environment(self) -> None:
        with self.environment(DOOMLOOP_URL="localhost:4177"):
            self.assertIn("http://127.0.0.1:4177", self.warned(Guard))

    def test_asks_for_a_token(self) -> None:
        with self.environment(DOOMLOOP_URL="http://127.0.0.1:9", XDG_STATE_HOME="/nowhere", HOME="/nowhere", LOCALAPPDATA="/nowhere"):
            self.assertIn("DOOMLOOP_TOKEN", self.warned(Guard))

    def test_is_silent_when_it_is_switched_off(self) -> None:
        with self.environment(DOOMLOOP="off"):
            guard = Guard()
            self.assertEqual(guard.call("search").action, "continue")
            self.assertEqual(guard.result("x").action, "continue")
            self.assertFalse(guard.allow())
            self.assertFalse(guard.ready())
            guard.end()


if __name__ == "__main__":
    unittest.main()
