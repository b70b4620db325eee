"""doomloop notices when an LLM agent goes in circles, tells the agent, and breaks the loop if it does not listen.

    with Guard() as guard:                    # one guard for one run of an agent
        search = guard.tool(search)           # or report each step yourself: guard.call(...), guard.result(...)
        while guard.stopped is None: ...      # your loop: ask the model, call its tools

The guard asks the decision service of doomloop. It finds the service by DOOMLOOP_URL and DOOMLOOP_TOKEN, or starts it.
If the service is slow, broken or absent, every answer is "continue": the agent goes on, and a log line says so once.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import dataclasses
import functools
import hashlib
import http.client
import inspect
import itertools
import json
import logging
import math
import numbers
import os
import pickle
import queue
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time
import traceback
import weakref
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Set, ValuesView
from typing import IO, Any, TypeVar, Union, cast, overload
from urllib.parse import SplitResult, urlsplit

__all__ = ["Decision", "Guard", "LoopStop", "LOOP_DETECTED"]
__version__ = "0.1.0"

LOOP_DETECTED = "LOOP_DETECTED"  # the status of a run that the guard ended

_log = logging.getLogger("doomloop")
_logged: dict[str, float] = {}  # When, by what it was about.
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Given = TypeVar("_Given")
_Error = Union[bool, BaseException, None]
_Future = concurrent.futures.Future


class LoopStop(Exception):
    """The end of a run: plain facts that you can route on, store and show. It is raised only with `raise_on_stop=True`."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision)
        finding = decision.finding or {}
        self.status, self.decision, self.finding = LOOP_DETECTED, decision, decision.finding
        self.action, self.run, self.call_id = decision.action, decision.run, decision.id  # `restart`: the run should start over
        self.kind, self.count = finding.get("kind"), finding.get("count")
        # The tool that was repeated. Somebody else wrote its name, so escape it before you show it.
        self.tool: str | None = next(iter(finding.get("tools") or []), None)
        self.explanation = decision.explanation or "Stopped: the agent went in circles."  # for people
        self.message = decision.message or ""  # for the model, in case you ask it once more

    def __str__(self) -> str:
        return self.explanation


@dataclasses.dataclass(frozen=True)
class Decision:
    """What to do about an event."""

    action: str = "continue"  # or `nudge`, `block`, `restart`, `stop`
    message: str | None = None  # for the agent
    explanation: str | None = None  # for people
    finding: Mapping[str, Any] | None = None  # what was seen: `kind`, `count`, `tools`, `confidence`, `loop` and more
    next: str | None = None  # what comes next if the loop goes on
    escalate: int | None = None  # how often the agent was told and went on, from the third time
    would: str | None = None  # in shadow mode: what would have been done
    question: Mapping[str, Any] | None = None  # is the agent stuck? `Guard(ask=...)` answers it
    id: str | None = None  # of the call that this is about, for `Guard.result`
    run: str = ""

    @property
    def refused(self) -> bool:
        """Whether the call must not run. Answer it with `message`."""
        return self.action in ("block", "restart", "stop")

    @property
    def stop(self) -> LoopStop | None:
        """The end of the run, if this is it."""
        return LoopStop(self) if self.action in ("restart", "stop") else None

    def append_to(self, text: str) -> str:
        """The text with the message for the agent appended, if there is one. A value that is not text is returned unchanged."""
        return _joined(text, self.message) if isinstance(text, str) else text


class Guard:
    """Watches one run of an agent, from its first call to its last. Several threads and tasks may use it.

    Nothing here raises or waits longer than `timeout`, except that `raise_on_stop` raises `LoopStop`. What begins with an a is for asyncio.

    run: names the run; without it, the run gets a new random name. Two guards with the same name are one run.
    url, token: the service; by default DOOMLOOP_URL and DOOMLOOP_TOKEN, else a service that this process starts.
    policy: `balanced` (the default of the service), `conservative`, `aggressive`, `shadow`, or a name that the service knows.
    options: what the service lets clients set, such as `{"rules": {"check_job": {"poll": True}}}`. A log line names what it refuses.
    ask: gets a system prompt and a message, and returns the answer of a model of yours; async or not. It is called a few times in a run,
        where rules cannot tell whether the agent is stuck. Nothing waits for it.
    keep: keeps the run at the service when the `with` block ends, so that another process can continue it.
    timeout: how many seconds one exchange may take. clock: milliseconds, never backwards; for tests.
    """

    def __init__(
        self, run: str | None = None, *, url: str | None = None, token: str | None = None, policy: str | None = None,
        options: Mapping[str, Any] | None = None, ask: Callable[[str, str], str | Awaitable[str]] | None = None,
        raise_on_stop: bool = False, keep: bool = False, timeout: float = 0.25, clock: Callable[[], float] | None = None,
    ) -> None:
        if not isinstance(timeout, (int, float)) or not 0 < timeout < math.inf:
            raise ValueError(f"Guard: timeout: seconds above 0 are required, got {timeout!r:.40}")
        self.run = _run_name(run)
        self._path = "/v1/runs/" + self.run
        wanted = {"policy": policy, "options": options if ask is None else {"questions": 12, **(options or {})}}
        self._settings = {key: _plain(value) for key, value in wanted.items() if value is not None}
        self._ask, self._raises, self._keeps, self._clock = ask, raise_on_stop, keep, clock or _now_ms
        self._timeout = min(timeout, 86_400.0)  # Python waits no longer than some days.
        if url is not None:
            _address_of(url, "any")
        key = (url or os.environ.get("DOOMLOOP_URL", "").strip(), token or "", os.environ.get("DOOMLOOP", "").lower() == "off")
        self._service = _services[key] if key in _services else _services.setdefault(key, _Service(*key))
        self.stopped: LoopStop | None = None  # The end of the run, once it is decided. The user's next message, or `allow`, cancels it.
        self._words: str | None = None  # They wait for a place where the agent reads them.
        # How often it has read some; whether the service must hear that it has only now; whether it could not have before.
        self._reads, self._is_unheard, self._is_in_time = 0, False, False
        self._pending: deque[_Event] = deque()
        self._replicas: list[str] = []
        self._tools: deque[tuple[Any, str]] = deque(maxlen=_MAX_PENDING)  # Of the latest calls, by their ids.
        self._unread: Counter[str] = Counter()  # The results of each that could not be read.
        self._seq, self._has_begun, self._asking = 0, False, threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._renew()
        _guards.add(self)

    def call(self, tool: str, args: Any = None, *, id: str | None = None, read_only: bool | None = None) -> Decision:
        """Before a tool runs. If the decision is `refused`, do not run it. You don't need to report a result then."""
        return self._end_of_call(self._decide(_call_event(tool, args, id, read_only)))

    async def acall(self, tool: str, args: Any = None, *, id: str | None = None, read_only: bool | None = None) -> Decision:
        return self._end_of_call(await self._adecide(_call_event(tool, args, id, read_only)))

    def result(self, output: Any = None, *, id: str | None = None, error: _Error = None, cancelled: bool = False) -> Decision:
        """After a tool ran. Give `message` to the agent with the result, if there is one: `decision.append_to(output)`.

        Without an `id`, it belongs to the oldest open call. `error`: whether it failed, or its exception. `cancelled`: counts for nothing.
        """
        return self._end_of_result(self._decide(_result_event(output, id, error, cancelled)))

    async def aresult(self, output: Any = None, *, id: str | None = None, error: _Error = None, cancelled: bool = False) -> Decision:
        return self._end_of_result(await self._adecide(_result_event(output, id, error, cancelled)))

    def text(self, text: str, *, partial: bool = False) -> Decision:
        """The agent answered without a call; with `partial`, a streamed piece of any answer."""
        return self._end_of_result(self._decide({"type": "text", "text": text, "partial": partial or None}))

    async def atext(self, text: str, *, partial: bool = False) -> Decision:
        return self._end_of_result(await self._adecide({"type": "text", "text": text, "partial": partial or None}))

    def observe(self, event: Mapping[str, Any]) -> Decision:
        """Any event of the service, as it is. `call`, `result` and the others do more: they make ids and keep messages for later."""
        return self._concluded(self._decide(event if isinstance(event, Mapping) else {}))

    def round(self) -> None:
        """A new model answer begins. Report all of them or none. It is sent with the next event."""
        self._note({"type": "round"})

    def user(self, text: str | None = None) -> None:
        """The user said something. That cancels a stop. It is sent with the next event."""
        self._note({"type": "user", "text": text})

    def state(self, key: str, value: Any) -> None:
        """Your own measure of the world, such as a hash of the diff. A new value counts as progress. It is sent with the next event."""
        self._note({"type": "state", "key": key, "value": value})

    def compaction(self) -> None:
        """The conversation was compacted: the agent forgot what it had read. It is sent with the next event."""
        self._note({"type": "compaction"})

    def words(self) -> str | None:
        """Returns the message for the agent that could not be added to a result of `tool`. Add it to your next message."""
        with self._lock:
            words, self._words = self._words, None
            if words is not None:
                self._is_unheard, self._reads = self._reads == 0, self._reads + 1
        return words

    def allow(self, finding: Mapping[str, Any] | None = None) -> bool:
        """Marks a finding, or the latest one, as a false alarm: it is not reported again in this run. Returns whether it was marked."""
        return bool(self._wait(self._submit(self._allow, finding)))

    async def aallow(self, finding: Mapping[str, Any] | None = None) -> bool:
        return bool(await self._await(self._submit(self._allow, finding)))

    def end(self) -> None:
        """The run is over: the service forgets it. The end of a `with` block does this, unless the guard has `keep=True`."""
        self._wait(self._forget())

    def ready(self, timeout: float = 10.0) -> bool:
        """Optional: waits until the service answers, and returns whether it does. In asyncio: `await asyncio.to_thread(guard.ready)`."""
        return bool(_safely(self._service.wait, self._path, timeout))

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        self._wait(self._submit(self._flush) if self._keeps else self._forget())

    async def __aenter__(self) -> Guard:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._await(self._submit(self._flush) if self._keeps else self._forget())

    @overload
    def tool(self, function: _Function) -> _Function: ...

    @overload
    def tool(self, *, name: str | None = ..., read_only: bool | None = ..., skip: Iterable[str] = ...) -> Callable[[_Function], _Function]: ...
    def tool(self, function: Any = None, *, name: str | None = None, read_only: bool | None = None, skip: Iterable[str] = ()) -> Any:
        """Guards a function that the agent calls as a tool, async or not.

        A refused call returns the message for the agent instead of running. Other messages are appended to a result that is text, or
        to the text of an error. Any other result, and JSON, stays unchanged: call `words()` to get the message then.

        name: what the agent calls it. read_only: it changes nothing. skip: parameters that the agent does not choose. The context of a
        framework (a class with Context in its name) is always skipped.
        """
        if function is None:
            return functools.partial(self.tool, name=name, read_only=read_only, skip=skip)
        if not callable(function):
            raise TypeError(f"guard.tool: a function is required, got {function!r:.40}. Write @guard.tool(name=...) to name the tool")
        inner = function.func if isinstance(function, functools.partial) else function
        called = name or str(getattr(inner, "__name__", type(inner).__name__))
        arguments = functools.partial(_arguments_of, function, {skip} if isinstance(skip, str) else frozenset(skip))

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            before = self.call(called, arguments(args, kwargs), read_only=read_only)
            if before.refused:
                return before.message
            try:
                output = function(*args, **kwargs)
            except Exception as fault:
                self._with_words(fault, self.result(id=before.id, error=fault).message, True)
                raise
            except BaseException:
                self._note({"type": "result", "id": before.id, "cancelled": True})  # It counts for nothing.
                raise
            if inspect.isawaitable(output):
                return self._awaited(output, before.id)
            return self._with_words(output, self.result(output, id=before.id).message)

        @functools.wraps(function)
        async def aguarded(*args: Any, **kwargs: Any) -> Any:
            before = await self.acall(called, arguments(args, kwargs), read_only=read_only)
            return before.message if before.refused else await self._awaited(function(*args, **kwargs), before.id)

        is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        return aguarded if is_async else guarded

    async def _awaited(self, running: Awaitable[Any], id: str | None) -> Any:
        try:
            output = await running
        except Exception as fault:
            self._with_words(fault, (await self.aresult(id=id, error=fault)).message, True)
            raise
        except BaseException:
            self._note({"type": "result", "id": id, "cancelled": True})
            raise
        return self._with_words(output, (await self.aresult(output, id=id)).message)

    def _with_words(self, output: Any, words: str | None, is_fault: bool = False) -> Any:
        """The output or the error with the words for the agent, if it has room for them."""
        if words is None or (is_fault and _add_to_fault(output, words)):
            return output
        if type(output) is str and output.strip()[:1] + output.strip()[-1:] not in ("{}", "[]"):  # Programs parse JSON.
            return _joined(output, words)
        if type(output) is list and any(type(part) is dict and part.get("type") == "text" and part.keys() <= _TEXT_PART for part in output[:8]):
            return [*output, {"type": "text", "text": words}]  # The parts of a message.
        self._words, self._reads, self._is_unheard = words, self._reads - 1, False
        kind = type(output).__name__
        place = f"an exception of {kind}" if is_fault else f"a result that is not plain text ({kind})"
        _log_once(f"could not add the message for the agent to {place}. Add guard.words() to your next message, or the next text gets it")
        return output

    def _note(self, event: Mapping[str, Any]) -> _Event:
        """Keeps an event until it is sent. Without a service, there is nowhere to send it."""
        if event.get("type") == "user":
            self.stopped, self._words, self._reads = None, None, 0
        return (None if self._service.is_off else _safely(self._keep, event)) or _Event({})

    def _keep(self, event: Mapping[str, Any]) -> _Event:
        given = {str(key): value for key, value in event.items() if value is not None}
        output = given.pop("output", None)
        fields = {} if output is None else _output_fields(output)
        # Frameworks have ids that are numbers or UUIDs, too.
        fields.update((key, str(_plain(value)) if key == "id" else _plain(value)) for key, value in given.items())
        if fields.get("type") in ("call", "result"):
            if self._is_unheard:
                fields["unheard"], self._is_unheard = True, False
            at = _safely(self._clock)
            if isinstance(at, (int, float)) and math.isfinite(at):
                fields.setdefault("at", round(at))
        with self._lock:
            if "tool" in fields:
                self._tools.append((fields.get("id"), str(fields["tool"])))
            elif output is not None and "output" not in fields:
                self._note_unread(dict(self._tools).get(fields.get("id"), "a tool"), output)
            # Numbers grow with the time of day, so that two processes of one run do not use the same.
            self._seq = max(self._seq + 2, int(time.time() * 1_000_000))
            noted = _Event({**fields, "seq": self._seq})
            if len(self._pending) >= _MAX_PENDING or sum(one.size for one in self._pending) > _MAX_PENDING_SIZE - noted.size:
                self._lose(list(self._pending))
            self._pending.append(noted)
        return noted

    def _note_unread(self, tool: str, output: Any) -> None:
        """Says so, because the tool is not guarded. One such result is nothing to speak of."""
        self._unread[tool] += 1
        if self._unread[tool] == 3:
            reason = f"an iterator, too large, or has only private fields ({type(output).__name__})"
            _log_once(f"results of `{_printable(tool)}` cannot be compared, so repeats are not noticed: each is or holds {reason}", tool)

    def _lose(self, events: list[_Event]) -> None:
        """Events are lost. The service must not take what it sees next for a repeat: anything may have happened in between."""
        self._pending = deque(one for one in self._pending if one not in events)
        self._pending.appendleft(_Event({"type": "state", "key": "missed-events", "seq": events[-1].fields["seq"] + 1}))

    def _submit(self, job: Callable[..., Any], *details: Any) -> _Future[Any]:
        return _future(is_done=True) if self._service.is_resting() else self._service.submit(job, *details)

    def _wait(self, answer: _Future[Any], patience: float | None = None) -> Any:
        concurrent.futures.wait([answer], self._service.patience(self._timeout) if patience is None else patience)
        if not answer.done() and self._service.address is not None:  # While it starts, nothing has failed.
            self._service.fail("it did not answer in time")
        return answer.result() if answer.done() else None

    async def _await(self, answer: _Future[Any]) -> Any:
        """`_wait`, for asyncio. With any other loop, nothing else runs meanwhile: it is not for long."""
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            return self._wait(answer)
        waiting = asyncio.wrap_future(answer)
        await asyncio.wait([waiting], timeout=self._service.patience(self._timeout))
        waiting.cancel()  # The loop may be closed when the answer comes.
        return self._wait(answer, 0.0)

    def _decide(self, event: Mapping[str, Any]) -> Decision:
        noted = self._note(event)
        self._wait(self._sent(noted))
        return self._decided(noted)

    async def _adecide(self, event: Mapping[str, Any]) -> Decision:
        noted = self._note(event)
        await self._await(self._sent(noted))
        return self._decided(noted)

    def _sent(self, event: _Event) -> _Future[Any]:
        sending = self._submit(self._flush)
        return sending if sending.done() else event.answer

    def _decided(self, event: _Event) -> Decision:
        with self._lock:
            decision: Decision | None = event.answer.result() if event.answer.done() else None
            event.is_late = decision is None
        if decision is not None:
            self._service.succeed()
        # A stop holds, whatever became of the service since. It may have forgotten the run.
        stop, is_call = self.stopped, event.fields.get("type") == "call"
        if decision is None or (stop is not None and is_call and decision.stop is None):
            return dataclasses.replace(Decision(run=self.run) if stop is None else stop.decision, id=event.id)
        return decision

    def _flush(self) -> None:
        """Sends all that waits. Another thread may have done it already."""
        with self._sending:
            with self._lock:
                batch = list(self._pending)
                events = [{**one.fields, "untold": True} if one.is_late else one.fields for one in batch]
            if not batch:
                return
            self._has_begun = True
            answered = self._service.ask("POST", self._path + "/events", {"events": events, **self._settings})
            if answered is not None and answered[0] == 400 and b'"options: ' in answered[1] and self._settings.pop("options", None) is not None:
                _log_once(f"the service refused the options of this run ({_problem_in(*answered[:2])}), so its policy alone decides")
                answered = self._service.ask("POST", self._path + "/events", {"events": events, **self._settings})
            if answered is not None:
                _safely(self._take, batch, *answered)
            for event in batch:
                if not event.answer.done():
                    event.answer.set_result(None)

    def _take(self, batch: list[_Event], status: int, answer: bytes, replica: str) -> None:
        if replica in self._replicas[:-1]:
            _log_once("events of one run reach several replicas in turn, so loops are found late: route them by the run's name (docs/scale.md)")
        self._replicas = [*(one for one in self._replicas if one != replica), replica][-8:]
        try:
            answered = json.loads(answer) if status == 200 else {"decisions": [{} for _ in batch]}
            decisions = [_decision_of(value, self.run, event.id) for value, event in zip(answered["decisions"], batch)]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            decisions = []
        if len(decisions) != len(batch):
            return self._service.fail("its answer is not a list of decisions")
        with self._lock:
            for event, decision in zip(batch, decisions):
                if not event.answer.done():
                    event.answer.set_result(decision)
                self.stopped = None if event.fields.get("type") == "user" else self.stopped or decision.stop
                # A call that was to be refused has run meanwhile. The next result gets the words.
                if event.is_late and decision.action == "nudge":
                    self._words = decision.message
            self._pending = deque(one for one in self._pending if one not in batch)
            if status != 200:
                self._lose(batch)  # What is refused once is refused again.
        if status != 200:
            _log_once(f"the service refused events of this run ({_problem_in(status, answer)}), so they are not looked at")
        elif "notice" in answered:
            _log_once(f"the service says of this guard: {_printable(str(answered['notice']))}")
        asked = [decision.question for decision in decisions if decision.question is not None]
        if self._ask is not None and asked and self._asking.acquire(blocking=False):
            threading.Thread(target=self._answer, args=(asked[-1], self._asking), name="doomloop ask", daemon=True).start()

    def _answer(self, question: Mapping[str, Any], asking: threading.Lock) -> None:
        """Asks the host's model, one question at a time, while the agent goes on. The service reads the answer."""
        try:
            request = question["request"]
            answer: Any = self._ask(request["system"], request["message"]) if self._ask is not None else None
            if inspect.iscoroutine(answer):
                loop = self._loop
                answer = asyncio.run_coroutine_threadsafe(answer, loop).result() if loop and loop.is_running() else asyncio.run(answer)
            if answer is not None and asking is self._asking:
                self._note({"type": "opinion", "question": question["id"], "answer": answer})
        except Exception as fault:
            # Says what kind of fault, and not its words: they may hold a key, or what the agent has read.
            _log_once(f"`ask` gave no answer ({type(fault).__name__}), so the rules decide alone")
        finally:
            asking.release()

    def _end_of_call(self, decision: Decision) -> Decision:
        if decision.refused:
            # If nothing has reached the agent yet, this call is answered with words, and the service counts from them.
            words = self.words() if self._reads == 0 and decision.action == "block" else None
            if words is not None:
                decision = dataclasses.replace(decision, message=f"{words}\n\nThis call was not run, so that you can read this first.")
            self._words = None  # A refusal says all that was to be said.
            self._note({"type": "result", "id": decision.id, "synthetic": True})
        else:
            self._words, self._is_in_time = decision.message or self._words, decision.message is not None
        return self._concluded(decision)

    def _end_of_result(self, decision: Decision) -> Decision:
        words = self.words()  # Newer ones say all that older ones said.
        self._is_unheard, self._is_in_time = self._is_unheard and not self._is_in_time, False
        if words is not None and decision.message is None:
            decision = dataclasses.replace(decision, action="nudge", message=words)
        elif words is None and decision.message is not None:
            self._reads += 1
        return self._concluded(decision)

    def _concluded(self, decision: Decision) -> Decision:
        if self._raises and decision.stop is not None:
            raise decision.stop
        return decision

    def _allow(self, finding: Mapping[str, Any] | None) -> bool:
        self._flush()
        answered = self._service.ask("POST", self._path + "/allow", {"loop": finding["loop"]} if finding else {})
        if answered is not None and answered[0] in (200, 404):  # What the service has forgotten, it does not hold against the agent.
            self.stopped = None
        return answered is not None and answered[0] == 200

    def _forget(self) -> _Future[Any]:
        with self._lock:
            self._pending.clear()
            self._asking, has_begun, self._has_begun = threading.Lock(), self._has_begun, False
        return self._submit(self._service.ask, "DELETE", self._path) if has_begun else _future(is_done=True)

    def _renew(self) -> None:
        """New locks, as a process that was forked needs them: for what is remembered, to send one batch at a time, to ask one question."""
        self._lock, self._sending, self._asking = threading.RLock(), threading.Lock(), threading.Lock()


class _Event:
    """An event that waits until it is sent and answered."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields, self.size = fields, len(_written(fields))
        self.id: str | None = fields.get("id")
        self.answer = _future(is_done=not fields)  # A decision; None if there is no service to ask, or if the event could not be kept.
        self.is_late = False  # Nothing waits for its answer any longer. If the service has not got it yet, the agent was told nothing.


def _call_event(tool: str, args: Any, id: Any, read_only: bool | None) -> dict[str, Any]:
    return {"type": "call", "id": secrets.token_hex(16) if id in (None, "") else id, "tool": tool, "args": args, "readOnly": read_only}


def _result_event(output: Any, id: Any, error: _Error, cancelled: bool) -> dict[str, Any]:
    if isinstance(error, BaseException):
        output, error = _text_of_fault(error) if output is None else output, True
    output = "" if output is None else output
    return {"type": "result", "id": None if id == "" else id, "output": output, "error": error, "cancelled": cancelled or None}


_OUR_WORDS = "\n\n[doomloop] "
_TEXT_PART = {"type", "text", "annotations", "cache_control", "citations", "_meta"}  # What MCP and SDKs of models have there.
_MAX_PENDING, _MAX_PENDING_SIZE, _MAX_ANSWER = 256, 3_000_000, 8_388_608
_services: dict[tuple[str, str, bool], _Service] = {}
_guards: weakref.WeakSet[Guard] = weakref.WeakSet()
_TYPES = {"action": str, "message": str, "explanation": str, "next": str, "would": str, "escalate": int, "finding": dict, "question": dict}


def _decision_of(value: Mapping[str, Any], run: str, id: str | None) -> Decision:
    decision = Decision(id=id, run=run, **{key: value[key] for key, kind in _TYPES.items() if isinstance(value.get(key), kind)})
    can_be_obeyed = decision.action in ("nudge", "block", "restart", "stop") and decision.message is not None
    return decision if can_be_obeyed else dataclasses.replace(decision, action="continue", message=None)  # A newer service may know more.


def _future(is_done: bool = False) -> _Future[Any]:
    """A future that cannot be cancelled by whoever waits for it."""
    future: _Future[Any] = _Future()
    future.set_running_or_notify_cancel()
    if is_done:
        future.set_result(None)
    return future


# Values: what the service is shown of arguments and results. Of a large one, it gets a part, and a digest of the whole.

_MAX_TEXT = 524_288  # Characters of a result that are sent.
_HEAD, _TAIL = 24_576, 8_192  # What is sent of a longer one. The last lines describe a failure.
_MAX_PARTS, _MAX_DEPTH = 10_000, 60  # Of any other value. The service compares hardly more.
_PART = 8  # So many characters of a text that are sent count as a part.
_MAX_READ = 16_000_000  # Bytes of a value that are compared, in about a tenth of a second. A larger one equals nothing.
_READ_PER_OBJECT, _READ_PER_PART = 700, 100  # An object of another class, and each part of it, take as long as so many bytes.


def _output_fields(output: Any) -> dict[str, Any]:
    """A result's `output`; with `digest` and `length` of the whole where it is cut. What cannot be read has a new `digest` each time."""
    value = output if isinstance(output, str) else _plain(output, True)
    if value is None or (isinstance(value, str) and len(value) > _MAX_READ):
        return {"digest": secrets.token_hex(16)}
    # The service takes hashes for names that are new each time, so here they are part of a digest.
    text = value if isinstance(value, str) else _written(value)
    if len(text) <= _MAX_TEXT and (isinstance(value, str) or not re.search(r'"bytes":\d+,"sha256":"|[a-z], sha256 \w{64}]', text)):
        return {"output": value if len(text) <= _HEAD else text}
    shown = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    return {"output": shown, "digest": _sha256(text), "length": len(text)}


def _plain(value: Any, is_output: bool = False) -> Any:
    """A value that JSON can hold, the same for equal values. If it has too many parts: the first of each list, and a digest."""
    for most in (_MAX_PARTS, 800, 120, 20, 3):
        try:
            copy = _Copy(most, is_output)
            copied = copy.of(value)
            if copy.is_whole:
                return copied
            whole = f"[the whole, sha256 {_Whole(value).hash.hexdigest()}]"
            return {"...": whole, **copied} if isinstance(copied, dict) else [whole, *copied]
        except OverflowError:
            continue
        except Exception:  # Foreign classes raise what they like.
            break
    return None if is_output else f"<{type(value).__name__} {secrets.token_hex(16)}>"  # It equals nothing.


def _written(value: Any) -> str:
    return str(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


class _Whole(pickle.Pickler):
    """A digest of a value with any number of parts, written down as fast as Python can."""

    def __init__(self, value: Any) -> None:
        self.hash, self.left = hashlib.sha256(), _MAX_READ
        super().__init__(self, 5)
        self.fast = True  # What comes again is written again, so that equal values are written alike.
        self.dump(value)

    def write(self, written: Any) -> None:
        self.left -= memoryview(written).nbytes
        if self.left < 0:
            raise ValueError
        self.hash.update(written)

    def reducer_override(self, value: Any) -> Any:
        kind = value if isinstance(value, type) else type(value)
        self.left -= 0 if kind is value else _READ_PER_OBJECT
        if kind.__module__ in ("builtins", "datetime", "decimal", "uuid", "collections"):
            return NotImplemented
        if _is_row(value):
            return tuple, (self.taken((name, value[name]) for name in value.keys()),)
        with contextlib.suppress(TypeError):
            return bytes, (bytes(_memory(value)),)
        return tuple, (self.taken(value if isinstance(value, (Sequence, Set, ValuesView)) else [_content(value, True)]),)

    def taken(self, items: Iterable[Any]) -> list[Any]:
        taken = list(itertools.islice(items, self.left // _READ_PER_PART + 1))
        self.left -= _READ_PER_PART * max(1, len(taken))
        return taken


class _Copy:
    """Copies a value, with at most so many parts of each list and text. Too many in all raise an OverflowError."""

    def __init__(self, most: int, is_output: bool) -> None:
        self.most, self.is_output, self.left, self.unread, self.is_whole = most, is_output, _MAX_PARTS, _MAX_READ, True

    def of(self, value: Any, depth: int = 0) -> Any:
        self.left -= 1
        if self.left < 0 or depth > _MAX_DEPTH:
            raise OverflowError
        if value is None or isinstance(value, str) or (isinstance(value, float) and math.isfinite(value)):
            return self.text(value) if isinstance(value, str) else value
        if isinstance(value, (numbers.Number, type)):  # The service holds no larger integer exactly.
            return value if isinstance(value, int) and value.bit_length() <= 53 else self.text(str(value))
        if _is_row(value):
            return self.fields(value, depth)
        with contextlib.suppress(TypeError):  # It has no memory to show.
            return self.memory(value, _memory(value))
        if isinstance(value, (Sequence, Set, ValuesView)):
            copied = [self.of(item, depth + 1) for item in self.first(value)]
            return sorted(copied, key=repr) if isinstance(value, Set) else copied  # It has no order.
        content = _content(value, self.is_output)
        return self.text(content) if isinstance(content, str) else self.fields(content, depth)

    def text(self, value: str) -> str:
        most = self.most * _PART
        if len(value) <= most:
            self.left -= len(value) // _PART
            return value
        self.left -= self.most
        return f"{value[: most // 2]}\n[{len(value)} characters, sha256 {self.digest(value, len(value))}]\n{value[-most // 2 :]}"

    def memory(self, value: Any, view: memoryview) -> dict[str, Any]:
        digest = self.digest(view.cast("B") if view.nbytes else b"", view.nbytes)
        items = {} if isinstance(value, (bytes, bytearray)) else {"items": f"{view.format} {view.shape}"}
        return {"bytes": view.nbytes, "sha256": digest, **items}

    def digest(self, value: Any, length: int) -> str:
        self.unread -= length
        if self.unread < 0:
            raise ValueError
        return _sha256(value)

    def fields(self, value: Any, depth: int) -> dict[str, Any]:
        names = self.first(value.keys())
        copied = {str(self.of(name, depth + 1)): self.of(value[name], depth + 1) for name in names}
        if len(copied) < len(names):
            raise ValueError  # Two fields have one name, so one of them is lost.
        return copied

    def first(self, items: Iterable[Any]) -> list[Any]:
        chosen = list(itertools.islice(items, self.most + 1))
        self.is_whole &= len(chosen) <= self.most
        return chosen[: self.most]


def _is_row(value: Any) -> bool:
    """A mapping, or a row of a database, which is like one."""
    return isinstance(value, Mapping) or all(hasattr(type(value), name) for name in ("keys", "__getitem__", "__len__", "__iter__"))


def _memory(value: Any) -> memoryview:
    """Bytes, and arrays of numbers. An array of objects holds only where they are."""
    view = memoryview(value)
    if "O" in view.format or not view.c_contiguous:
        raise ValueError
    return view


def _content(value: Any, is_output: bool) -> Any:
    """The public fields of a record or an object without a text of its own; of any other, its text. Nobody knows what `repr` would do."""
    kind: Any = type(value)
    has_text = kind.__str__ is not object.__str__
    # The fields of a collection do not tell what is in it.
    if dataclasses.is_dataclass(kind) or hasattr(kind, "model_dump") or not (has_text or hasattr(kind, "__iter__")):
        fields = {**{slot: getattr(value, slot) for slot in _slots_of(kind) if hasattr(value, slot)}, **getattr(value, "__dict__", {})}
        public = {name: part for name, part in fields.items() if not name.startswith("_")}
        if public:
            return public
    text = str(value) if has_text else ""
    # A text that says where the object is says nothing, and one with an ellipsis, as of a large table, not everything.
    if has_text and not re.fullmatch(r"<.{1,300} at 0x[0-9A-Fa-f]+>", text) and not (is_output and re.search(r"\.\.\.|…", text)):
        return text
    if is_output:
        raise ValueError
    return f"<{kind.__name__}>"  # A model has hardly chosen it, so it is no reason to take equal calls for others.


@functools.lru_cache(maxsize=256)
def _slots_of(kind: type) -> list[str]:
    return sorted({slot for base in kind.__mro__ for slot in vars(base).get("__slots__", ())})


def _sha256(value: Any) -> str:
    return hashlib.sha256(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value).hexdigest()


def _arguments_of(function: Callable[..., Any], skip: Iterable[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the agent chose, by name: not the object of a method, and no context of a framework."""
    try:
        named = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        named = {**{str(index): value for index, value in enumerate(args)}, **kwargs}
    is_plain = {name: value is None or isinstance(value, (str, int, float, list, dict)) for name, value in named.items()}  # As models write.
    foreign = {name for name, value in named.items() if name in ("self", "cls") or "Context" in type(value).__name__}
    return {name: value for name, value in named.items() if name not in skip and (is_plain[name] or name not in foreign)}


def _text_of_fault(fault: BaseException) -> str:
    try:
        _add_to_fault(fault, None)  # Some programs raise one exception again.
        return f"{type(fault).__name__}: {fault}"
    except Exception:
        return type(fault).__name__


def _add_to_fault(fault: BaseException, words: str | None) -> bool:
    """Appends words to the message of an error, in place of earlier ones, if it has room for them."""
    is_os = isinstance(fault, OSError) and type(fault.strerror) is str
    if not is_os and (type(fault).__str__ not in (BaseException.__str__, OSError.__str__) or len(fault.args) != 1):
        return False
    try:
        begin, text, *end = fault.args if is_os else (None, *fault.args)
        text = _joined(text.partition(_OUR_WORDS)[0], words)
        fault.args = (begin, text, *end) if is_os else (text,)
        if isinstance(fault, OSError) and is_os:
            fault.strerror = text
    except Exception:  # It cannot be changed.
        return False
    return True


def _joined(text: str, words: str | None) -> str:
    return "\n\n".join(part for part in (text, words) if part)


def _run_name(run: str | None) -> str:
    """The service takes few characters in a name. Other names become a name of those, always the same one."""
    name = secrets.token_hex(16) if run is None else run
    if not isinstance(name, str) or name == "":
        raise ValueError(f"Guard: run: a string is required, got {run!r:.40}")
    is_taken = re.fullmatch(r"(?!\.+$)[A-Za-z0-9._:@~-]{1,200}", name)
    return name if is_taken else re.sub(r"[^A-Za-z0-9_:@-]", "~", name)[:150] + "~" + _sha256(name)[:32]


def _log_once(text: str, about: str = "", every: float = math.inf) -> bool:
    """Whether it was logged: once, or once in so many seconds."""
    now, about = time.monotonic(), about or text
    if now - _logged.get(about, -math.inf) < every or (about not in _logged and len(_logged) >= 256):
        return False
    _logged[about] = now
    _log.log(logging.WARNING, "doomloop: %s. doomloop logs this %s.", text, "only once" if every == math.inf else "at most once a minute")
    return True


def _safely(action: Callable[..., _Given], *details: Any) -> _Given | None:
    """A fault of ours never reaches the agent. The log says where, and not what: its words may hold arguments and results."""
    try:
        return action(*details)
    except Exception as fault:
        lines = [line for frame, line in traceback.walk_tb(fault.__traceback__) if frame.f_code.co_filename == __file__]
        _log_once(f"an internal error ({type(fault).__name__} in line {lines[-1]}). The agent goes on without a guard here")
        return None


def _now_ms(start: float = time.time() - time.monotonic()) -> float:
    """The time of day when the process began plus the time since then: it never runs backwards, and processes agree on it."""
    return (start + time.monotonic()) * 1_000


# The service: where it is, and whether it answers. All guards of a process share it.


class _Service:
    """Asks a service in threads of its own. After a failure it is left alone for a while, so that agents do not wait for nothing."""

    THREADS, FIRST_REST, LONGEST_REST = 4, 0.5, 30.0
    LONGEST_SILENCE = 2.0  # After that, a connection is given up.
    PATIENCE = 2.0  # While the service starts, agents wait for it this long in all.

    def __init__(self, url: str, token: str, is_off: bool) -> None:
        self._url, self._token, self.is_off = url, token, is_off
        self._name = f"the service at {_printable(url)}" if url else "the service"
        self.address: tuple[SplitResult, str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._begun_at, self._rest, self._resumes_at = time.monotonic(), 0.0, math.inf if is_off else 0.0
        self._is_told = False  # Whether the latest word of the log is that it fails.
        self._renew()
        if not is_off:
            self.submit(self.ask, "GET", "/healthz")

    def _renew(self) -> None:
        """A process that was forked shares no thread, no connection and no child with the one that it came from, only the address."""
        if self._child is not None and self._child.stdin is not None:
            self._child.stdin.close()  # The service ends when nobody has this open.
        self._child = None
        self._finding, self._own = threading.Lock(), threading.local()
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._threads = 0

    def submit(self, job: Callable[..., Any], *details: Any) -> _Future[Any]:
        future = _future()
        self._jobs.put(lambda: future.set_result(_safely(job, *details)))
        while self._threads < self.THREADS:
            self._threads += 1
            threading.Thread(target=self._work, args=(self._jobs,), name="doomloop", daemon=True).start()
        return future

    def _work(self, jobs: queue.SimpleQueue[Callable[[], None]]) -> None:
        while True:
            jobs.get()()

    def is_resting(self) -> bool:
        return time.monotonic() < self._resumes_at

    def patience(self, timeout: float) -> float:
        """How long to wait for an answer. What has failed once is found again in the background, without making anyone wait."""
        if self.address is not None:
            return timeout
        waited = time.monotonic() - self._begun_at
        if waited > self.LONGEST_REST:
            self.fail("it does not start")
        return 0.0 if self._rest > 0 else max(min(timeout, self.PATIENCE - waited), 0.0)

    def wait(self, path: str, timeout: float) -> bool:
        """Waits until the service answers a question about a run, which it does only with the right token."""
        until = time.monotonic() + timeout
        # A program that did not start would fail again.
        while not self.is_off and time.monotonic() < until and (self._url or self.address or not self.is_resting()):
            asked = self.submit(self.ask, "GET", path)
            concurrent.futures.wait([asked], min(until - time.monotonic(), 86_400.0))
            status, answer, _ = asked.result() if asked.done() and asked.result() is not None else (0, b"", "")
            if status == 200 or (status == 404 and b"no such run" in answer):
                self.succeed()
                return True
            if status != 0:
                self.fail(f"it is not doomloop, it answers {_problem_in(status, answer)}")
            time.sleep(0.05)
        return False

    def succeed(self) -> None:
        if self._is_told:
            _log.log(logging.INFO, "doomloop: %s answers again", self._name)
        self._rest, self._resumes_at, self._is_told = 0.0, 0.0, False

    def fail(self, reason: str) -> None:
        if not self.is_resting():
            self._rest = min(max(self._rest * 2, self.FIRST_REST), self.LONGEST_REST)
            self._resumes_at = time.monotonic() + self._rest
        if not self._is_told:
            text = f"{self._name} cannot be used: {reason}. The agent goes on without a guard. doomloop will try again later"
            self._is_told = _log_once(text, self._name, every=60.0)

    def ask(self, method: str, path: str, value: Any = None) -> tuple[int, bytes, str] | None:
        """The status, the answer and who answers; None unless the service does its work, or says that the request is wrong."""
        try:
            # UTF-8 has no lone surrogates. What Python writes for them is what JSON has.
            body = None if value is None else _written(value).encode("utf-8", "backslashreplace")
            status, answer, replica = self._exchange(method, path, body)
            if status not in (200, 204, 400, 404, 413, 415, 422):
                raise RuntimeError(f"it answers {_problem_in(status, answer)}")
        except Exception as fault:
            self.fail(_printable(str(fault) or type(fault).__name__))
            return None
        return status, answer, replica

    def _exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes, str]:
        with self._finding:
            if self._child is not None and self._child.poll() is not None:
                self.address = self._child = None
            if self.address is None:
                self.address, self._child = (_address_of(self._url, self._token), None) if self._url else _start_child()
            address, token = self.address
        own = self._own.__dict__  # Each thread has a connection of its own.
        if own.get("address") is not address:
            kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
            own.update(address=address, connection=kind(str(address.hostname), address.port, timeout=self.LONGEST_SILENCE))
        connection, headers = own["connection"], {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        for is_last in (connection.sock is None, True):
            try:
                connection.request(method, address.path.rstrip("/") + path, body, headers)
                response = connection.getresponse()
                return response.status, response.read(_MAX_ANSWER), response.headers.get("Doomloop-Replica", "")
            except Exception as fault:
                connection.close()
                # Servers close connections that were idle. Events have numbers, so sending them again does no harm.
                if is_last or not isinstance(fault, (ConnectionError, http.client.HTTPException)):
                    raise
        raise AssertionError


def _address_of(url: str, token: str) -> tuple[SplitResult, str]:
    if not isinstance(url, str) or not re.fullmatch(r"https?://([\w.-]+|\[[\da-fA-F:]+\])(:[1-9]\d{0,4})?(/[\w./~%-]*)?", url, re.ASCII):
        raise ValueError(f"Guard: url: an address such as http://127.0.0.1:4177 is required, got {_printable(repr(url))}")
    token = token or os.environ.get("DOOMLOOP_TOKEN", "")
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError("it needs a token: set DOOMLOOP_TOKEN, or pass Guard(token=...)")
    return urlsplit(url), token


def _start_child() -> tuple[tuple[SplitResult, str], subprocess.Popen[bytes]]:
    """Starts the program. It ends when nobody has its input open: with this process, however that ends."""
    program = shutil.which("doomloop")
    # On Windows, the search also finds programs in the current folder. An agent may have written one there.
    if program is None or (os.name == "nt" and os.path.dirname(os.path.abspath(program)) == os.getcwd()):
        missing = "DOOMLOOP_URL is not set, and there is no program `doomloop` on the PATH"
        raise RuntimeError(f"{missing}. Install Node 22.12 or later, then run `npm install --global doomloop`")
    token, home, said = secrets.token_hex(24), os.path.expanduser("~"), ["it said nothing"]
    process = subprocess.Popen(
        [program, "serve", "--listen", "127.0.0.1:0", "--end-with-stdin"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**{key: value for key, value in os.environ.items() if key != "DOOMLOOP_STORE_URL"}, "DOOMLOOP_TOKEN": token},
        cwd=home if os.path.isdir(home) else None,  # What lies in the folder that an agent works in must not decide what runs.
        start_new_session=os.name == "posix",  # Ctrl-C is for the agent, which may go on.
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    for line in cast(IO[bytes], process.stdout):
        text = _printable(line.decode("utf-8", "replace")).strip()
        listening = re.search(r"Listening on (http://[\w.:\[\]-]+)", text)
        if listening:
            # The program must never wait until somebody reads what it prints.
            threading.Thread(target=deque, args=(process.stdout, 0), name="doomloop", daemon=True).start()
            return _address_of(listening[1], token), process
        said = [*said, text][-20:] if text else said
    # If Node fails, its last line is its version.
    telling = dict.fromkeys([*(line for line in said if "Error" in line)][-1:] + said[-1:])
    raise RuntimeError(f"`doomloop serve`, which needs Node 22.12 or later, ended at once: {', '.join(telling)}")


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text[:200])


def _problem_in(status: int, answer: bytes) -> str:
    """The status, with what problem details (RFC 9457) say."""
    try:
        return f"{status}: {_printable(str(json.loads(answer)['detail']))}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return str(status)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: [cast(Any, one)._renew() for one in (*_services.values(), *_guards)])
