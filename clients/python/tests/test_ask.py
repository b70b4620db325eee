"""A model of the host's answers questions, and the agent never waits for it."""

from __future__ import annotations

import asyncio
import threading
import time
import unittest
from typing import Any, Callable, Dict, List
from unittest import mock

import doomloop
from doomloop import Guard

from .stand_in import TOKEN, StandIn

WORKING = '{"verdict":"working","since":2}'


class AskTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = StandIn()
        self.server.asks = True
        self.addCleanup(self.server.close)
        doomloop._logged.clear()

    def guard(self, ask: Any = None, **options: Any) -> Guard:
        return Guard(**{"url": self.server.url, "token": TOKEN, "timeout": 20, "ask": ask, **options})

    def step(self, guard: Guard, at: int = 0) -> None:
        guard.call("search", {"page": at})
        guard.result(f"page {at}")

    def opinions(self) -> List[Dict[str, Any]]:
        return [event for event in self.server.events if event["type"] == "opinion"]

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), deadline, "it takes too long")
            time.sleep(0.002)

    def settled(self, guard: Guard) -> None:
        # The thread that asks begins after the event is answered.
        time.sleep(0.01)
        self.until(lambda: not guard._asking.locked())


class Answers(AskTest):
    def test_are_sent_with_the_next_event(self) -> None:
        asked: List[Any] = []

        def ask(system: str, message: str) -> str:
            asked.append((system, message, threading.current_thread().daemon))
            return f"Let me see. {WORKING}"

        with self.guard(ask) as guard:
            self.step(guard)
            self.settled(guard)
            self.step(guard, 1)
            self.settled(guard)
        self.assertEqual(asked, [("Is it stuck?", "question 1", True), ("Is it stuck?", "question 2", True)])
        self.assertEqual(
            self.opinions(), [{"type": "opinion", "question": 1, "answer": f"Let me see. {WORKING}", "seq": mock.ANY}]
        )
        self.assertEqual([event["type"] for event in self.server.events], ["call", "result", "opinion", "call", "result"])

    def test_are_awaited_by_nothing_and_asked_for_one_at_a_time(self) -> None:
        release, asked = threading.Event(), []

        def ask(_: str, message: str) -> str:
            asked.append(message)
            release.wait(20)
            return WORKING

        guard = self.guard(ask)
        start = time.monotonic()
        for at in range(5):
            self.step(guard, at)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual((asked, self.opinions()), (["question 1"], []))
        release.set()
        self.settled(guard)
        self.step(guard, 5)
        self.settled(guard)
        self.assertEqual([one["question"] for one in self.opinions()], [1])
        self.assertEqual(asked, ["question 1", "question 6"])

    def test_of_an_async_function_come_from_the_agent_s_loop(self) -> None:
        loops: List[Any] = []

        async def ask(_: str, message: str) -> str:
            loops.append(asyncio.get_running_loop())
            await asyncio.sleep(0)
            return WORKING

        async def agent() -> None:
            async with self.guard(ask) as guard:
                for at in range(2):
                    await guard.acall("search", {"page": at})
                    await guard.aresult(f"page {at}")
                    while guard._asking.locked():
                        await asyncio.sleep(0.002)
                self.assertEqual(loops, [asyncio.get_running_loop()] * 2)

        asyncio.run(agent())
        self.assertEqual([one["question"] for one in self.opinions()], [1])

    def test_of_an_async_function_count_for_an_agent_without_asyncio(self) -> None:
        async def ask(system: str, message: str) -> str:
            return WORKING

        with self.guard(ask) as guard:
            self.step(guard)
            self.settled(guard)
            self.step(guard)
        self.assertEqual(len(self.opinions()), 1)

    def test_of_a_plain_function_do_not_hold_up_the_loop(self) -> None:
        release = threading.Event()

        async def agent() -> None:
            async with self.guard(lambda *_: WORKING if release.wait(20) else "") as guard:
                await guard.acall("search")
                await guard.aresult("page")
                await guard.acall("search")

        asyncio.run(agent())
        release.set()

    def test_are_forgotten_with_their_run(self) -> None:
        release = threading.Event()
        ended: List[str] = []

        def ask(*_: str) -> str:
            release.wait(20)
            ended.append("ask")
            return WORKING

        guard = self.guard(ask)
        self.step(guard)
        guard.end()
        release.set()
        self.until(lambda: ended == ["ask"])
        self.server.asks = False
        self.step(guard)
        self.assertEqual(self.opinions(), [])

class Settings(AskTest):
    def sent(self, **options: Any) -> Any:
        guard = self.guard(**options)
        self.step(guard)
        return self.server.requests[0].get("options")

    def test_are_unchanged_without_a_function(self) -> None:
        self.assertIsNone(self.sent())
        self.assertEqual(self.opinions(), [])

    def test_ask_for_questions(self) -> None:
        self.assertEqual(self.sent(ask=lambda *_: WORKING, options={"preset": "shadow"}), {"questions": 12, "preset": "shadow"})

    def test_of_the_host_hold(self) -> None:
        self.assertEqual(self.sent(ask=lambda *_: WORKING, options={"questions": 3}), {"questions": 3})

    def test_without_a_function_show_the_question(self) -> None:
        guard = self.guard()
        guard.call("search")
        question = guard.result("page").question
        assert question is not None
        self.assertEqual(question["request"]["message"], "question 1")


class Faults(AskTest):
    def play(self, ask: Any, use_asyncio: bool) -> None:
        async def agent() -> None:
            async with self.guard(ask) as guard:
                for at in range(3):
                    await guard.acall("search", {"page": at})
                    await guard.aresult(f"page {at}")
                    while guard._asking.locked():
                        await asyncio.sleep(0.002)

        if use_asyncio:
            return asyncio.run(agent())
        with self.guard(ask) as guard:
            for at in range(3):
                self.step(guard, at)
                self.settled(guard)

    def assert_told(self, ask: Any, words: str, use_asyncio: bool = False) -> None:
        with self.subTest(words), self.assertLogs("doomloop", "WARNING") as logs:
            doomloop._logged.clear()
            self.play(ask, use_asyncio)
            self.assertEqual(len(logs.output), 1, logs.output)
            self.assertIn(words, logs.output[0])
            self.assertNotIn("secret", logs.output[0])
        self.assertEqual(self.opinions(), [])

    def test_are_told_once_without_their_words(self) -> None:
        def fails(*_: str) -> str:
            raise ConnectionError("secret")

        async def afails(*_: str) -> str:
            raise ConnectionError("secret")

        self.assert_told(fails, "(ConnectionError)")
        self.assert_told(afails, "(ConnectionError)")
        self.assert_told(afails, "(ConnectionError)", use_asyncio=True)

    def test_do_not_include_an_answer_that_is_left_out(self) -> None:
        with mock.patch.object(doomloop._log, "log") as warning:
            self.play(lambda *_: None, False)
        warning.assert_not_called()

    def test_of_a_service_that_sends_no_request_are_told(self) -> None:
        guard = self.guard(lambda *_: WORKING)
        with self.assertLogs("doomloop", "WARNING") as logs:
            for value in ({}, {"id": 1}, {"id": 1, "request": [1]}):
                guard._asking.acquire()
                guard._answer(value, guard._asking)
        self.assertEqual(len(logs.output), 2)
        self.assertEqual(self.opinions(), [])


if __name__ == "__main__":
    unittest.main()
