"""What a guard does while its service answers."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import os
import pickle
import threading
import time
import unittest
import unittest.mock
from typing import Any, Callable, List, Optional, cast

import doomloop
from doomloop import Decision, Guard, LoopStop

from .stand_in import TOKEN, StandIn

ANSWER = "No results found."


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    what: str


class ReadOnly(Exception):
    @property
    def args(self) -> Any:
        return ("fixed",)

    @args.setter
    def args(self, _: Any) -> None:
        raise AttributeError("read-only")


class Full(OSError):
    def __init__(self) -> None:
        super().__init__()
        self.strerror = "disk full"


class Private:
    def __init__(self) -> None:
        self._at = 1


class GuardTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = StandIn()
        self.addCleanup(self.server.close)
        doomloop._logged.clear()

    def guard(self, run: Optional[str] = None, **options: Any) -> Guard:
        return Guard(run, **{"url": self.server.url, "token": TOKEN, "timeout": 20, **options})


class TheLoop(GuardTest):
    def test_leaves_a_healthy_run_as_it_is(self) -> None:
        with self.guard() as guard:
            for page in range(20):
                self.assertFalse(guard.call("search", {"page": page}).refused)
                self.assertEqual(guard.result(f"page {page}").append_to(f"page {page}"), f"page {page}")
            self.assertIsNone(guard.stopped)
            self.assertIsNone(guard.words())

    def test_nudges_refuses_and_stops_a_loop(self) -> None:
        contents: List[str] = []
        with self.guard() as guard:
            while guard.stopped is None:
                before = guard.call("search", {"q": "login"})
                contents.append(before.message or "" if before.refused else guard.result(ANSWER).append_to(ANSWER))
            stop = guard.stopped
        self.assertEqual(
            contents,
            [
                ANSWER,
                ANSWER,
                f"{ANSWER}\n\n[doomloop] 3 times",
                f"{ANSWER}\n\n[doomloop] 4 times",
                "[doomloop] not run",
                "[doomloop] not run",
                "[doomloop] stopped",
            ],
        )
        self.assertEqual((stop.status, stop.action, stop.tool, stop.kind), ("LOOP_DETECTED", "stop", "search", "repeated-call"))
        self.assertEqual(str(stop), "Stopped.")

    def test_reports_a_refused_call_as_answered(self) -> None:
        guard = self.guard()
        for _ in range(5):
            before = guard.call("search")
            if not before.refused:
                guard.result(ANSWER)
        guard.call("other")
        self.assertEqual([one for one in self.server.events if one.get("synthetic")], [
            {"type": "result", "id": before.id, "synthetic": True, "at": unittest.mock.ANY, "seq": unittest.mock.ANY}
        ])

    def test_raises_a_stop_if_asked_to(self) -> None:
        guard = self.guard(raise_on_stop=True)
        with self.assertRaises(LoopStop) as raised:
            for _ in range(9):
                if not guard.call("search").refused:
                    guard.result(ANSWER)
        self.assertEqual(raised.exception.run, guard.run)
        self.assertEqual(pickle.loads(pickle.dumps(raised.exception)).explanation, "Stopped.")

    def test_takes_a_stop_back_when_the_user_speaks_or_allows_it(self) -> None:
        for forgive in (lambda guard: guard.user("go on"), lambda guard: guard.allow({"loop": "l1"})):
            guard = self.guard()
            for _ in range(7):
                if not guard.call("search").refused:
                    guard.result(ANSWER)
            self.assertIsNotNone(guard.stopped)
            forgive(guard)
            self.assertIsNone(guard.stopped)
        self.assertEqual(self.server.requests[-1], {"loop": "l1"})

    def test_takes_no_stop_for_a_new_one_that_the_user_has_taken_back(self) -> None:
        guard = self.guard()
        for _ in range(6):
            if not guard.call("search").refused:
                guard.result(ANSWER)
        guard._service._resumes_at = time.monotonic() + 600
        guard.call("search")
        guard.user("go on")
        guard._service._resumes_at = 0
        self.assertEqual(guard.call("search").action, "continue")
        self.assertIsNone(guard.stopped)

    def test_forgets_the_run_at_the_end_unless_it_is_kept(self) -> None:
        for keep in (False, True):
            with self.guard(f"keep-{keep}", keep=keep) as guard:
                guard.call("search")
        self.assertEqual(self.server.forgotten, ["keep-False"])

    def test_sends_policy_and_options(self) -> None:
        self.guard(policy="shadow", options={"attended": True}).call("search")
        request = self.server.requests[0]
        self.assertEqual((request["policy"], request["options"]), ("shadow", {"attended": True}))


class Events(GuardTest):
    def test_sends_what_cannot_bring_a_decision_with_the_next_event(self) -> None:
        guard = self.guard("run", clock=lambda: 1234.4)
        guard.user("fix it")
        guard.round()
        guard.state("diff", {"hash": 1})
        guard.compaction()
        guard.call("search", {"q": "a"}, id="c1", read_only=True)
        self.assertEqual(len(self.server.requests), 1)
        events = self.server.requests[0]["events"]
        numbers = [event.pop("seq") for event in events]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(
            events,
            [
                {"type": "user", "text": "fix it"},
                {"type": "round"},
                {"type": "state", "key": "diff", "value": {"hash": 1}},
                {"type": "compaction"},
                {"type": "call", "id": "c1", "tool": "search", "args": {"q": "a"}, "readOnly": True, "at": 1234},
            ],
        )

    def test_sends_text_and_any_other_event(self) -> None:
        guard = self.guard()
        guard.text("I am done", partial=True)
        guard.observe({"type": "reasoning", "text": "hm"})
        guard.observe({"type": "call", "tool": "search", "at": 7, "id": None})
        for event in self.server.events:
            del event["seq"]
        self.assertEqual(
            self.server.events,
            [
                {"type": "text", "text": "I am done", "partial": True},
                {"type": "reasoning", "text": "hm"},
                {"type": "call", "tool": "search", "at": 7},
            ],
        )

    def test_pairs_results_with_calls(self) -> None:
        guard = self.guard()
        first, second = guard.call("search", {"q": 1}), guard.call("search", {"q": 2})
        guard.result("second", id=second.id)
        guard.result("first")
        results = [(event.get("id"), event["output"]) for event in self.server.events if event["type"] == "result"]
        # The service gives a result without an id to the oldest call that has none.
        self.assertEqual(results, [(second.id, "second"), (None, "first")])
        self.assertNotEqual(first.id, second.id)

    def test_pairs_ids_that_are_no_text(self) -> None:
        guard = self.guard()
        guard.call("search", {"q": 1}, id=cast(Any, 7))
        guard.result("found", id=cast(Any, 7))
        self.assertEqual([event["id"] for event in self.server.events], ["7", "7"])

    def test_uses_few_connections(self) -> None:
        for _ in range(3):
            with self.guard() as guard:
                for page in range(10):
                    guard.call("search", {"page": page})
                    guard.result("x")
        self.assertLessEqual(self.server.connections, doomloop._Service.THREADS)

    def test_connects_again_when_the_server_has_closed_an_idle_connection(self) -> None:
        guard = self.guard()
        for at in range(4):
            guard.call("search")
            self.arrived(2 * at + 1)
            self.server.hang_up()
            guard.result(ANSWER)
            self.arrived(2 * at + 2)
            self.server.hang_up()
        self.assertEqual(len(self.server.events), 8)

    def arrived(self, count: int) -> None:
        """Waits until the server has so many events, so that it hangs up between two requests."""
        for _ in range(1000):
            if len(self.server.events) >= count:
                return
            time.sleep(0.01)

    def test_goes_on_at_an_action_that_it_does_not_know(self) -> None:
        guard = self.guard()
        self.server.fault = "newer"
        with unittest.mock.patch.object(doomloop._log, "log") as warning:
            for page in range(3):
                before, after = guard.call("search", {"page": page}), guard.result("x")
                self.assertEqual([(one.action, one.message, one.refused) for one in (before, after)], [("continue", None, False)] * 2)
        warning.assert_not_called()
        self.assertEqual(len(self.server.requests), 6)

    def test_says_once_that_replicas_answer_in_turn(self) -> None:
        for replicas, count in ((["a", "a", "b", "b", "c", "c"], 0), (["a", "b", "a", "b", "a", "b"], 1)):
            doomloop._logged.clear()
            self.server.replicas = replicas
            guard = self.guard()
            with unittest.mock.patch.object(doomloop._log, "log") as warning:
                for _ in range(3):
                    guard.call("search", {"page": len(self.server.replicas)})
                    guard.result("x")
            self.assertEqual(warning.call_count, count)

    def test_makes_names_that_the_service_takes(self) -> None:
        for name in ("a b", "../x", "..", "ü", "x" * 300, "a/b?c#d"):
            guard = self.guard(name)
            self.assertRegex(guard.run, r"^[A-Za-z0-9._:@~-]{1,200}$")
            self.assertEqual(guard.run, self.guard(name).run)
            guard.call("search")
        self.assertEqual(len(self.server.calls), 6)
        self.assertEqual(self.guard("ticket:4711@x").run, "ticket:4711@x")
        with self.assertRaises(ValueError):
            Guard("")

    def test_serves_many_threads(self) -> None:
        guard = self.guard()
        wrong: List[str] = []

        def work(number: int) -> None:
            for page in range(20):
                before = guard.call("search", {"by": number, "page": page})
                if guard.result(f"{number} {page}", id=before.id).action != "continue":
                    wrong.append(f"{number} {page}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(self.server.events), 8 * 20 * 2)
        numbers = [event["seq"] for event in self.server.events]
        self.assertEqual(numbers, sorted(numbers))

    @unittest.skipUnless(hasattr(os, "fork"), "this system does not fork")
    def test_works_in_a_process_that_was_forked(self) -> None:
        guard = self.guard()
        guard.call("search", id="a")
        child = os.fork()
        if child == 0:
            os._exit(0 if guard.call("search", id="b").action == "continue" and guard._service else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        guard.call("search", id="c")
        self.assertEqual([event["id"] for event in self.server.events], ["a", "b", "c"])


class Tools(GuardTest):
    def results(self, function: Callable[..., Any], times: int = 7) -> List[Any]:
        return [function("login") for _ in range(times)]

    def test_guards_a_function(self) -> None:
        guard, runs = self.guard(), []

        @guard.tool
        def search(q: str, limit: int = 3) -> str:
            """Finds things."""
            runs.append(q)
            return ANSWER

        self.assertEqual(
            self.results(search),
            [ANSWER] * 2 + [f"{ANSWER}\n\n[doomloop] {n} times" for n in (3, 4)] + ["[doomloop] not run"] * 2 + ["[doomloop] stopped"],
        )
        self.assertEqual(len(runs), 4)
        self.assertEqual((search.__name__, search.__doc__), ("search", "Finds things."))
        self.assertEqual(self.server.events[0]["tool"], "search")
        self.assertEqual(self.server.events[0]["args"], {"q": "login"})

    def test_guards_an_async_function(self) -> None:
        guard = self.guard()

        @guard.tool(name="find", read_only=True)
        async def search(q: str) -> str:
            return ANSWER

        async def play() -> List[str]:
            async with guard:
                return [await search("login") for _ in range(5)]

        self.assertEqual(asyncio.run(play())[2:], [f"{ANSWER}\n\n[doomloop] {n} times" for n in (3, 4)] + ["[doomloop] not run"])
        self.assertEqual((self.server.events[0]["tool"], self.server.events[0]["readOnly"]), ("find", True))
        self.assertEqual(self.server.forgotten, [guard.run])

    def test_appends_words_to_a_list_of_parts(self) -> None:
        part = {"type": "text", "text": "x"}
        search = self.guard().tool(lambda q: [part])
        self.assertEqual(self.results(search, 3)[2], [part, {"type": "text", "text": "[doomloop] 3 times"}])

    def test_leaves_json_and_other_values_whole_and_offers_the_words(self) -> None:
        for output in ('{"found": 0}', {"found": 0}, [{"type": "bug", "id": 1}], 3, None):
            guard = self.guard()
            search = guard.tool(name="search")(lambda q, output=output: output)
            with self.assertLogs("doomloop", "WARNING"):
                self.assertEqual(self.results(search, 3), [output] * 3)
            self.assertEqual(guard.words(), "[doomloop] 3 times")
            self.assertIsNone(guard.words())

    def test_gives_words_with_the_next_result_that_is_text(self) -> None:
        guard = self.guard()
        search, read = guard.tool(lambda q: {"found": 0}), guard.tool(name="read")(lambda: "a file")
        with self.assertLogs("doomloop", "WARNING"):
            self.results(search, 3)
        self.assertEqual(read(), "a file\n\n[doomloop] 3 times")

    def test_says_words_before_it_refuses_where_no_result_could_hold_them(self) -> None:
        def fails(q: str) -> str:
            raise KeyError(q)

        for function in (lambda q: {"found": 0}, lambda q: '{"found": 0}', fails):
            guard = self.guard()
            search = guard.tool(name="search")(function)
            read: List[Any] = []
            for _ in range(6):
                try:
                    read.append(search("login"))
                except KeyError as fault:
                    read.append(repr(fault))
            words = "[doomloop] 4 times\n\nThis call was not run, so that you can read this first."
            self.assertEqual([text for text in read if "doomloop" in text], [words, "[doomloop] not run"])
            unheard = [event.get("synthetic") for event in self.server.events if event.get("unheard")]
            self.assertEqual(unheard, [True])
            self.server.events.clear()

    def test_tells_the_service_when_the_agent_reads_words_late(self) -> None:
        guard = self.guard()
        search, read = guard.tool(name="search")(lambda q: {"found": 0}), guard.tool(name="read")(lambda: "a file")
        self.results(search, 4)
        read()
        self.assertEqual([event for event in self.server.events if event.get("unheard")], [])
        guard.call("other")
        guard.call("other")
        self.assertEqual([event["tool"] for event in self.server.events if event.get("unheard")], ["other"])
        # It has read words now. What cannot be added to a result later holds nothing up.
        self.assertEqual(search("login"), "[doomloop] not run")

    def test_counts_words_as_read_that_the_host_takes(self) -> None:
        guard = self.guard()
        search = guard.tool(name="search")(lambda q: {"found": 0})
        self.results(search, 3)
        self.assertIsNotNone(guard.words())
        self.assertEqual(self.results(search, 2)[1], "[doomloop] not run")

    def test_puts_words_into_the_message_of_an_error(self) -> None:
        guard = self.guard()

        @guard.tool
        def search(q: str) -> str:
            raise ValueError("no index")

        messages = []
        for _ in range(3):
            with self.assertRaises(ValueError) as raised:
                search("login")
            messages.append(str(raised.exception))
        self.assertEqual(messages, ["no index", "no index", "no index\n\n[doomloop] 3 times"])
        self.assertEqual(
            [(event["output"], event["error"]) for event in self.server.events if event["type"] == "result"][0],
            ("ValueError: no index", True),
        )

    def test_puts_words_into_the_message_of_a_system_error(self) -> None:
        again = FileNotFoundError(2, "No such file", "a")
        for make in (lambda: FileNotFoundError(2, "No such file", "a"), lambda: again):
            read = self.guard().tool(name="read")(lambda path, make=make: self.fail_with(make()))
            for _ in range(4):
                with self.assertRaises(FileNotFoundError) as raised:
                    read("a")
            fault = raised.exception
            # Some hosts show the text of an error, others what `repr` makes of it.
            for text in (str(fault), repr(fault)):
                self.assertIn("No such file", text)
                self.assertEqual(text.count("[doomloop]"), 1)
                self.assertIn("[doomloop] 4 times", text)
            self.assertEqual((fault.errno, fault.filename), (2, "a"))
            outputs = [event["output"] for event in self.server.events if event["type"] == "result"]
            self.assertEqual(set(outputs), {"FileNotFoundError: [Errno 2] No such file: 'a'"})

    def fail_with(self, fault: Exception) -> None:
        raise fault

    def test_puts_words_into_a_system_error_that_is_only_text(self) -> None:
        search = self.guard().tool(name="search")(lambda q: self.fail_with(ConnectionError("refused")))
        for _ in range(3):
            with self.assertRaises(ConnectionError) as raised:
                search("login")
        self.assertEqual(str(raised.exception), "refused\n\n[doomloop] 3 times")

    def test_says_the_latest_words_only_in_an_error_that_is_raised_again(self) -> None:
        guard = self.guard()
        fault = ValueError("no index")

        @guard.tool
        def search(q: str) -> str:
            raise fault

        for _ in range(4):
            with self.assertRaises(ValueError):
                search("login")
        self.assertEqual(str(fault), "no index\n\n[doomloop] 4 times")
        with self.assertRaises(ValueError):
            search("logout")
        self.assertEqual(str(fault), "no index")
        outputs = [event["output"] for event in self.server.events if event["type"] == "result"]
        self.assertEqual(set(outputs), {"ValueError: no index"})

    def test_appends_nothing_to_what_is_no_text(self) -> None:
        for output in ({"a": 1}, b"x", [1], None, 5):
            self.assertIs(Decision("nudge", "words").append_to(cast(Any, output)), output)
        self.assertEqual(Decision("nudge", "words").append_to("text"), "text\n\nwords")

    def test_gives_the_newest_words_only_where_several_could_not_be_given(self) -> None:
        guard = self.guard()
        search, read = guard.tool(name="search")(lambda q: {"found": 0}), guard.tool(name="read")(lambda: "a file")
        with self.assertLogs("doomloop", "WARNING"):
            self.results(search, 4)
        self.assertEqual(read(), "a file\n\n[doomloop] 4 times")

    def test_names_callables_by_what_they_are(self) -> None:
        class Check:
            def __call__(self, path: str) -> str:
                return "ok"

        def lint(path: str) -> str:
            return "ok"

        guard = self.guard()
        for function in (Check(), functools.partial(functools.partial(lint)), lint):
            guard.tool(function)("app.py")
        self.assertEqual([event["tool"] for event in self.server.events if event["type"] == "call"], ["Check", "lint", "lint"])

    def test_guards_what_returns_an_awaitable(self) -> None:
        async def found(q: str) -> str:
            return "nothing"

        class Search:
            async def __call__(self, q: str) -> str:
                return "nothing"

        for function in (functools.partial(found), lambda q: found(q), Search()):
            guard = self.guard()
            search = guard.tool(name="search")(function)

            async def play() -> List[str]:
                return [await search("login") for _ in range(3)]

            self.assertEqual(asyncio.run(play()), ["nothing", "nothing", "nothing\n\n[doomloop] 3 times"])

    def test_holds_words_for_errors_of_other_shapes_and_says_so(self) -> None:
        guard = self.guard()

        @guard.tool
        def read(path: str) -> str:
            raise KeyError(path)

        with self.assertLogs("doomloop", "WARNING") as logged:
            for _ in range(3):
                with self.assertRaises(KeyError):
                    read("a")
        self.assertIn("an exception of KeyError", logged.output[0])
        self.assertEqual(guard.words(), "[doomloop] 3 times")

    def test_keeps_an_error_that_takes_no_words_and_holds_them(self) -> None:
        for make in (lambda: Frozen("user 7"), lambda: ReadOnly("a"), Full):
            guard = self.guard()

            def fails(path: str, make: Any = make) -> str:
                raise make()

            async def afails(path: str, make: Any = make) -> str:
                raise make()

            doomloop._logged.clear()
            read, aread = guard.tool(name="read")(fails), guard.tool(name="aread")(afails)
            with self.assertLogs("doomloop", "WARNING") as logged:
                for _ in range(3):
                    with self.assertRaises(type(make())):
                        read("a")
                self.assertEqual(guard.words(), "[doomloop] 3 times")
                for _ in range(3):
                    with self.assertRaises(type(make())):
                        asyncio.run(cast(Any, aread("a")))
            self.assertEqual(guard.words(), "[doomloop] 3 times")
            self.assertIn(f"an exception of {type(make()).__name__}", logged.output[0])

    def test_leaves_a_list_of_records_whole_that_have_a_type(self) -> None:
        fields = [{"type": "text", "name": "email"}, {"type": "password", "name": "pw"}]
        guard = self.guard()
        with self.assertLogs("doomloop", "WARNING"):
            self.assertEqual(self.results(guard.tool(name="search")(lambda q: fields), 3), [fields] * 3)
        self.assertEqual(guard.words(), "[doomloop] 3 times")

    def test_says_once_which_tool_has_results_that_cannot_be_compared(self) -> None:
        guard = self.guard()

        async def tail(path: str) -> Any:
            yield path

        for name, function in (("tail", tail), ("walk", lambda q: (one for one in q)), ("find", lambda q: [Private()])):
            found = guard.tool(name=name)(cast(Any, function))
            self.results(found, 2)
            with self.assertLogs("doomloop", "WARNING") as logged:
                self.results(found, 2)
            told = [line for line in logged.output if "cannot be compared, so repeats are not noticed" in line]
            self.assertEqual([f"results of `{name}`" in line for line in told], [True])

    def test_takes_an_exception_for_a_failure(self) -> None:
        guard = self.guard()
        guard.call("search")
        guard.result(error=ValueError("no index"))
        self.assertEqual([(event["output"], event["error"]) for event in self.server.events[1:]], [("ValueError: no index", True)])

    def test_says_how_to_name_a_tool(self) -> None:
        with self.assertRaisesRegex(TypeError, r"a function is required, got 'search'. Write @guard.tool\(name=...\)"):
            self.guard().tool(cast(Any, "search"))

    def test_takes_one_name_to_skip(self) -> None:
        self.guard().tool(skip="db")(lambda db, q: "")(object(), "a")
        self.assertEqual(self.server.events[0]["args"], {"q": "a"})

    def test_reports_a_call_that_was_given_up_as_cancelled(self) -> None:
        guard = self.guard()

        @guard.tool
        async def wait() -> None:
            await asyncio.sleep(60)

        async def play() -> None:
            task = asyncio.ensure_future(wait())
            while not self.server.events:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await guard.acall("search")

        asyncio.run(play())
        self.assertEqual([event.get("cancelled") for event in self.server.events], [None, True, None])

    def test_leaves_out_what_the_agent_does_not_choose(self) -> None:
        class RunContext:
            pass

        guard = self.guard()

        class Tools:
            @guard.tool(skip=["db"])
            def search(self, ctx: Any, q: str, db: object = None, *rest: int, **more: int) -> str:
                return ""

        Tools().search(RunContext(), "a", object(), 1, two=2)
        self.assertEqual(self.server.events[0]["args"], {"q": "a", "rest": [1], "more": {"two": 2}})

    def test_keeps_a_plain_value_whatever_its_name(self) -> None:
        self.guard().tool(lambda self, cls: "")("a", {"b": 1})
        self.assertEqual(self.server.events[0]["args"], {"self": "a", "cls": {"b": 1}})

    def test_lets_a_wrong_call_fail_as_it_would(self) -> None:
        search = self.guard().tool(lambda q: q)
        with self.assertRaises(TypeError):
            search("a", "b")

    def test_raises_a_stop_out_of_a_tool_if_asked_to(self) -> None:
        search = self.guard(raise_on_stop=True).tool(lambda q: ANSWER)
        with self.assertRaises(LoopStop):
            self.results(search)


class Async(GuardTest):
    def test_has_async_twins(self) -> None:
        async def play() -> List[str]:
            actions = []
            async with self.guard() as guard:
                for _ in range(7):
                    before = await guard.acall("search")
                    actions.append(before.action)
                    if not before.refused:
                        actions.append((await guard.aresult(ANSWER)).action)
                await guard.atext("hm")
                self.assertTrue(await guard.aallow())
            return actions

        self.assertEqual(asyncio.run(play()), ["continue"] * 5 + ["nudge", "continue", "nudge", "block", "block", "stop"])

    def test_does_not_wait_for_the_threads_of_the_agent(self) -> None:
        async def play() -> str:
            loop, release = asyncio.get_running_loop(), threading.Event()
            busy = [loop.run_in_executor(None, release.wait, 60) for _ in range(64)]
            action = (await self.guard().acall("search")).action
            still_busy = not any(one.done() for one in busy)
            release.set()
            await asyncio.gather(*busy)
            return f"{action} {still_busy}"

        self.assertEqual(asyncio.run(play()), "continue True")

    def test_runs_many_guards_side_by_side(self) -> None:
        async def one(number: int) -> int:
            async with self.guard() as guard:
                while guard.stopped is None:
                    if not (await guard.acall("search", {"by": number})).refused:
                        await guard.aresult(ANSWER)
                return guard.stopped.count or 0

        async def play() -> List[int]:
            return await asyncio.gather(*(one(number) for number in range(40)))

        self.assertEqual(asyncio.run(play()), [7] * 40)

    def test_works_without_asyncio(self) -> None:
        turn = self.guard().acall("search")
        with self.assertRaises(StopIteration) as ended:
            turn.send(None)
        self.assertEqual(ended.exception.value.action, "continue")


if __name__ == "__main__":
    unittest.main()
