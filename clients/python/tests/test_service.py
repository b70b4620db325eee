"""The client with the real service."""

from __future__ import annotations

import itertools
import json
import os
import random
import tempfile
import time
import unittest
import urllib.request
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional
from unittest import mock

import doomloop
from doomloop import Decision, Guard, LoopStop

from .real_service import TOKEN, RealService

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance.jsonl"
PAGE = "The page lists twelve orders.\n" + "\n".join(f"Order {number}: three chairs and a lamp" for number in range(12))
CUSTOMERS = ["".join(letters) for letters in itertools.product("BDK", "aeiou", "lnr")]


class Clock:
    """Four seconds pass between a result and the next call, as with a real model."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 2_000
        return self.now


class ServiceTest(unittest.TestCase):
    service: RealService

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = RealService()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.service.kill()

    def guard(self, run: Optional[str] = None, **options: Any) -> Guard:
        # A slow machine is no reason to fail.
        return Guard(run, **{"url": self.service.url, "token": TOKEN, "timeout": 60, "clock": Clock(), **options})

    def looping(self, guard: Guard, most: int = 40) -> List[str]:
        """What a model reads that asks for one page again and again."""
        read = guard.tool(name="read_page")(lambda url: PAGE)
        contents: List[str] = []
        while guard.stopped is None and len(contents) < most:
            guard.round()
            contents.append(read("https://shop.example/orders"))
        return contents


class Conformance(ServiceTest):
    def expected(self, run: Dict[str, Any]) -> List[Dict[str, Any]]:
        answers: List[Dict[str, Any]] = [{"action": "continue"} for _ in run["events"]]
        for decision in run["decisions"]:
            answers[decision.pop("event")] = decision
        return answers

    def shown(self, decision: Decision) -> Dict[str, Any]:
        finding = decision.finding or {}
        told = {"action": decision.action, "would": decision.would, "kind": finding.get("kind"), "count": finding.get("count")}
        return {key: value for key, value in told.items() if value is not None}

    def test_every_run_is_answered_as_the_file_says(self) -> None:
        runs = [json.loads(line) for line in CONFORMANCE.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(len(runs), 200)
        for run in runs:
            with self.guard(f"{run['run']}:{uuid.uuid4()}", policy=run.get("policy"), options=run.get("options")) as guard:
                answers = [self.shown(guard.observe(event)) for event in run["events"]]
            self.assertEqual(answers, self.expected(run), run["run"])

    def test_nothing_changes_if_events_are_sent_again(self) -> None:
        """As after time-outs: the service has heard them, and the client does not know it."""
        seed = random.randrange(2**32)
        draw = random.Random(seed)
        runs = [json.loads(line) for line in CONFORMANCE.read_text(encoding="utf-8").splitlines()]
        for run in draw.sample(runs, 6):
            guard = self.guard(f"{run['run']}:{uuid.uuid4()}", policy=run.get("policy"), options=run.get("options"))
            service = guard._service
            ask = service.ask

            def ask_again(method: str, path: str, value: Any = None, *more: str, ask: Any = ask) -> Any:
                for _ in range(draw.randrange(3)):
                    ask(method, path, value, *more)
                return ask(method, path, value, *more)

            with mock.patch.object(service, "ask", ask_again):
                answers = [self.shown(guard.observe(event)) for event in run["events"]]
            self.assertEqual(answers, self.expected(run), f"{run['run']}, seed {seed}")


class SecondOpinions(ServiceTest):
    def words(self, ask: Any) -> int:
        """How many mails an agent sends before it reads a message, with time for each answer."""
        with self.guard(ask=ask) as guard:
            send = guard.tool(name="send_mail")(lambda to: "sent")
            for count in range(1, 40):
                guard.round()
                if "[doomloop]" in send("kim"):
                    return count
                time.sleep(0.005)
                while guard._asking.locked():
                    time.sleep(0.001)
        return 0

    def test_an_answer_counts(self) -> None:
        seen: List[str] = []

        def works(system: str, message: str) -> str:
            seen.append(message)
            return '{"verdict":"working","since":null}'

        self.assertGreater(self.words(works), self.words(lambda *_: '{"verdict":"unsure"}'))
        self.assertIn("send_mail", seen[0])

    def test_a_clear_loop_ends_as_without_one(self) -> None:
        with self.guard() as guard:
            alone = self.looping(guard)
        with self.guard(ask=lambda *_: '{"verdict":"working"}') as guard:
            self.assertEqual(self.looping(guard), alone)
            self.assertIsNotNone(guard.stopped)


class Runs(ServiceTest):
    def test_a_healthy_run_is_not_changed(self) -> None:
        with self.guard() as guard:
            read = guard.tool(name="read_page")(lambda page: f"{PAGE} for {CUSTOMERS[page]}")
            for page in range(30):
                self.assertEqual(read(page), f"{PAGE} for {CUSTOMERS[page]}")
            self.assertIsNone(guard.stopped)

    def test_a_run_that_nobody_could_tell_anything_is_told_first(self) -> None:
        """The service was away for thirty calls. It counts them, and begins with words."""
        guard = self.guard()
        self.assertTrue(guard.ready(60))
        guard._service._resumes_at = time.monotonic() + 600
        self.looping(guard, 30)
        guard._service._resumes_at = 0
        self.assertIn("\n\n[doomloop] ", self.looping(guard, 1)[0])
        self.assertIsNone(guard.stopped)
        guard.end()

    def test_a_run_that_was_logged_before_an_outage_is_told_again_before_anything_is_refused(self) -> None:
        with self.guard() as guard:
            self.assertIn("3 times", self.looping(guard, 6)[2])
            guard._service._resumes_at = time.monotonic() + 600
            self.assertEqual(self.looping(guard, 10), [PAGE] * 10)
            guard._service._resumes_at = 0
            contents = self.looping(guard)
            self.assertIsNotNone(guard.stopped)
        said = [text for text in contents if "[doomloop]" in text]
        self.assertTrue(all(text.startswith(PAGE) for text in said[:2]), said[:2])
        self.assertIn("[doomloop] Not run", said[3])

    def test_words_come_first_where_no_result_can_hold_them(self) -> None:
        def fails(path: str) -> str:
            raise KeyError("user_id")

        for function in (lambda path: {"ok": 1, "items": [1, 2]}, lambda path: '{"ok": 1}', fails):
            read: List[str] = []
            with self.guard() as guard:
                tool = guard.tool(name="read_file")(function)
                while guard.stopped is None and len(read) < 80:
                    guard.round()
                    try:
                        read.append(str(tool("a")))
                    except KeyError as fault:
                        read.append(repr(fault))
                self.assertIsNotNone(guard.stopped)
            said = [text for text in read if "[doomloop]" in text]
            self.assertIn("so that you can read this first", said[0])
            self.assertNotIn("[doomloop] Not run", said[0])
            self.assertIn("[doomloop] Not run", said[1])
            # Between them, the agent had time to react.
            self.assertGreater(read.index(said[1]) - read.index(said[0]), 3)

    def test_values_with_many_items_are_compared(self) -> None:
        for args, output in (("q", [1] * 100_000), ([1] * 20_000, "the same text"), ([1] * 100_000, "the same text")):
            with self.guard() as guard:
                tool = guard.tool(name="get_list")(lambda x: output)
                told = 0
                for _ in range(9):
                    guard.round()
                    told += "[doomloop]" in str(tool(args)) or guard.words() is not None
                self.assertGreater(told, 0)

    def test_a_loop_is_told_refused_and_ended(self) -> None:
        with self.guard() as guard:
            contents = self.looping(guard)
            stop = guard.stopped
        self.assertEqual(contents[:2], [PAGE, PAGE])
        self.assertEqual(contents[2].split("\n\n")[0], PAGE)
        self.assertIn("[doomloop] This exact `read_page` call gave the same result 3 times", contents[2])
        self.assertIn("Not run:", contents[9])
        self.assertIn("run is stopped", contents[-1])
        assert stop is not None
        self.assertEqual((stop.status, stop.kind, stop.tool), ("LOOP_DETECTED", "repeated-call", "read_page"))
        self.assertRegex(stop.explanation, r"^Stopped: the agent called `read_page` \d+ times")
        self.assertLess(len(contents), 25)

    def test_plain_counts_are_followed(self) -> None:
        guard = self.guard(options={"counts": {"repeats": 3, "within": 20}})
        contents = self.looping(guard)
        said = ["told" if text.startswith(PAGE + "\n\n[doomloop]") else "refused" if "[doomloop] Not run" in text else text for text in contents]
        self.assertEqual(said[:4], [PAGE, PAGE, "told", "refused"])
        self.assertEqual((guard.stopped.count if guard.stopped else 0, len(contents)), (5, 5))

    def test_options_that_the_service_refuses_leave_the_run_to_its_policy(self) -> None:
        guard = self.guard(policy="aggressive", options={"presett": "shadow"})
        with self.assertLogs("doomloop", "WARNING") as log:
            contents = self.looping(guard)
        self.assertEqual(contents, self.looping(self.guard(policy="aggressive")))
        self.assertIn("[doomloop]", contents[2])
        refused = "the service refused the options of this run (400: options: presett: there is no such option; did you mean preset?)"
        self.assertIn(f"{refused}, so its policy alone decides", log.output[0])
        self.assertEqual(len(log.output), 1)

    def test_a_stop_is_raised_if_asked_for(self) -> None:
        with self.assertRaises(LoopStop), self.guard(raise_on_stop=True) as guard:
            self.looping(guard)

    def test_a_stop_is_taken_back_when_it_is_allowed(self) -> None:
        with self.guard() as guard:
            self.looping(guard)
            assert guard.stopped is not None
            self.assertTrue(guard.allow(guard.stopped.finding))
            self.assertEqual(self.looping(guard, 10), [PAGE] * 10)

    def test_shadow_only_reports(self) -> None:
        with self.guard(policy="shadow") as guard:
            self.assertEqual(self.looping(guard, 30), [PAGE] * 30)

    def test_a_policy_that_there_is_not_is_told_once(self) -> None:
        with self.assertLogs("doomloop", "WARNING") as logs, self.guard(policy="strict") as guard:
            self.assertEqual(self.looping(guard, 5), [PAGE] * 5)
        self.assertEqual(len(logs.output), 1)
        self.assertIn("known: balanced, conservative, aggressive, shadow", logs.output[0])

    def test_settings_that_a_run_did_not_begin_with_are_told_once(self) -> None:
        name = f"begun:{uuid.uuid4()}"
        with self.guard(name, policy="shadow", keep=True) as guard:
            self.looping(guard, 2)
        with self.assertLogs("doomloop", "WARNING") as logs, self.guard(name, policy="aggressive") as guard:
            self.assertEqual(self.looping(guard, 30), [PAGE] * 30)
        self.assertEqual(len(logs.output), 1)
        self.assertIn('keeps what it began with, the policy "shadow"; ignored: policy', logs.output[0])

    def test_a_guard_that_several_model_loops_share_is_told_once(self) -> None:
        with self.assertLogs("doomloop", "WARNING") as logs, self.guard() as guard:
            for at in range(16):
                guard.round()
                guard.call("read", {"page": at}, id=f"c{at}x")
                if at > 3:
                    guard.result(f"page {at - 4}", id=f"c{at - 4}x")
        self.assertEqual(len(logs.output), 1)
        self.assertIn("one guard watches one run", logs.output[0])

    def test_an_event_with_an_unknown_field_is_told(self) -> None:
        with self.assertLogs("doomloop", "WARNING") as logs, self.guard() as guard:
            guard.observe({"type": "result", "stdout": "ok"})
        self.assertIn('did you mean "output"?', logs.output[0])

    def test_another_process_goes_on_with_a_run_that_is_kept(self) -> None:
        name, clock = f"kept:{uuid.uuid4()}", Clock()
        with self.guard(name, keep=True, clock=clock) as guard:
            self.looping(guard, 2)
        with self.guard(name, clock=clock) as guard:
            self.assertIn("3 times", self.looping(guard, 1)[0])
        with self.guard(name, clock=clock) as guard:
            self.assertEqual(self.looping(guard, 2), [PAGE] * 2)

    def test_every_field_of_an_event_is_documented(self) -> None:
        described = urllib.request.urlopen(f"{self.service.url}/openapi.json").read()
        schemas = json.loads(described)["components"]["schemas"]
        sent: List[Dict[str, Any]] = []
        guard = self.guard(ask=lambda *_: '{"verdict":"unsure"}')
        ask = guard._service.ask

        def ask_and_note(method: str, path: str, value: Any = None, *more: str) -> Any:
            sent.extend((value or {}).get("events", []))
            return ask(method, path, value, *more)

        with mock.patch.object(guard._service, "ask", ask_and_note):
            guard.round()
            guard.user("fix it")
            guard.state("diff", 1)
            guard.compaction()
            guard.text("hm", partial=True)
            guard._note({"type": "opinion", "question": 1, "answer": "unsure"})
            guard.call("edit", {"path": "a"}, read_only=False)
            guard.result(object(), cancelled=True)
            guard._service._resumes_at = time.monotonic() + 600
            guard.call("read", {"path": ["x"] * 100_000})
            guard.result("x" * 600_000, error=True)
            guard._lose([guard._pending[0]])
            guard._is_unheard, guard._service._resumes_at = True, 0
            self.looping(guard, 14)
        fields = {(event["type"], field) for event in sent for field in event}
        names = {event["type"]: f"{event['type'].capitalize()}Event" for event in sent}
        self.assertEqual({pair for pair in fields if pair[1] not in schemas[names[pair[0]]]["properties"]}, set())
        self.assertLessEqual({"untold", "unheard", "synthetic", "digest", "length", "cancelled", "answer"}, {field for _, field in fields})

    def test_odd_values_are_taken(self) -> None:
        with mock.patch.object(doomloop._log, "log") as warning, self.guard() as guard:
            for value in (None, "\x00\ud800", "x" * 3_000_000, [["deep"]], {"a": float("nan")}, object(), b"bytes", 10**400):
                self.assertEqual(guard.call("t\ud800öl", value).action, "continue")
                self.assertEqual(guard.result(value).action, "continue")
        warning.assert_not_called()

class Faults(ServiceTest):
    def setUp(self) -> None:
        self.service = RealService()
        self.addCleanup(self.service.kill)

    def test_the_agent_finishes_when_the_service_is_killed(self) -> None:
        with self.assertLogs("doomloop", "WARNING") as logs, self.guard() as guard:
            contents = self.looping(guard, 4)
            self.service.kill()
            self.assertEqual(self.looping(guard, 40), [PAGE] * 40)
        self.assertIn("3 times", contents[2])
        self.assertEqual(len(logs.output), 1, logs.output)

    def test_the_run_goes_on_when_the_service_comes_back(self) -> None:
        with self.assertLogs("doomloop", "WARNING"), self.guard() as guard:
            self.service.kill()
            self.looping(guard, 2)
            self.service = RealService(self.service.port)
            self.addCleanup(self.service.kill)
            deadline = time.monotonic() + 60
            while guard._service.is_resting() and time.monotonic() < deadline:
                time.sleep(0.05)
            # The two before are heard now.
            self.assertIn("3 times", self.looping(guard, 1)[0])

    @unittest.skipIf(os.name == "nt", "this system cannot pause a process")
    def test_a_service_that_was_paused_hears_each_event_once(self) -> None:
        with self.assertLogs("doomloop", "WARNING"), self.guard(timeout=0.25) as guard:
            guard._timeout = 60
            self.looping(guard, 1)
            self.service.pause()
            guard._timeout = 0.25
            self.assertEqual(self.looping(guard, 1), [PAGE])
            self.service.resume()
            guard._timeout, guard._service._resumes_at = 60, 0
            self.assertIn("3 times", self.looping(guard, 1)[0])


if __name__ == "__main__":
    unittest.main()
