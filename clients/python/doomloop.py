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
import dataclasses
import functools
import hashlib
import http.client
import inspect
import json
import logging
import math
import os
import queue
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time
import traceback
import uuid
import weakref
from collections import deque
from typing import IO, Any, Awaitable, Callable, Deque, Dict, Iterable, List, Mapping, Optional, Set, Tuple, TypeVar, Union
from typing import cast, overload
from urllib.parse import SplitResult, urlsplit

__all__ = ["Decision", "Guard", "LoopStop", "LOOP_DETECTED"]
__version__ = "0.1.0"

LOOP_DETECTED = "LOOP_DETECTED"  # the status of a run that the guard ended

_log = logging.getLogger("doomloop")
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Given = TypeVar("_Given")
_Future = concurrent.futures.Future


class LoopStop(Exception):
    """The end of a run: plain facts that you can route on, store and show. It is raised only with `raise_on_stop=True`."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision)
        self.decision = decision
        self.status, finding = LOOP_DETECTED, decision.finding or {}
        tools = finding.get("tools")
        self.action, self.run, self.call_id = decision.action, decision.run, decision.id  # `restart`: the run should start over
        self.finding, self.kind, self.count = decision.finding, finding.get("kind"), finding.get("count")
        # The tool that was repeated. Somebody else wrote its name, so escape it before you show it.
        self.tool: Optional[str] = tools[0] if isinstance(tools, list) and tools else None
        self.explanation = decision.explanation or "Stopped: the agent went in circles."  # for people
        self.message = decision.message or ""  # for the model, in case you ask it once more

    def __str__(self) -> str:
        return self.explanation


@dataclasses.dataclass(frozen=True)
class Decision:
    """What to do about an event."""

    action: str = "continue"  # or `nudge`, `block`, `restart`, `stop`
    message: Optional[str] = None  # for the agent
    explanation: Optional[str] = None  # for people
    finding: Optional[Mapping[str, Any]] = None  # what was seen: `kind`, `count`, `tools`, `confidence`, `loop` and more
    next: Optional[str] = None  # what comes next if the loop goes on
    escalate: Optional[int] = None  # how often the agent was told and went on, from the third time
    would: Optional[str] = None  # in shadow mode: what would have been done
    question: Optional[Mapping[str, Any]] = None  # is the agent stuck? `Guard(ask=...)` answers it
    id: Optional[str] = None  # of the call that this is about, for `Guard.result`
    run: str = ""

    @property
    def refused(self) -> bool:
        """Whether the call must not run. Answer it with `message`."""
        return self.action in ("block", "restart", "stop")

    @property
    def stop(self) -> Optional[LoopStop]:
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
    options: what the service lets clients set, such as `{"rules": {"check_job": {"poll": True}}}`.
    ask: gets a system prompt and a message, asks a model of yours, and returns its answer as text; async or not. It is called a few
        times in a run, where rules cannot tell whether the agent is stuck. Nothing waits for it.
    keep: keeps the run at the service when the `with` block ends, so that another process can continue it.
    timeout: how many seconds one exchange may take. clock: milliseconds, never backwards; for tests.
    """

    def __init__(
        self, run: Optional[str] = None, *, url: Optional[str] = None, token: Optional[str] = None, policy: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None, ask: Optional[Callable[[str, str], Union[str, Awaitable[str]]]] = None,
        raise_on_stop: bool = False, keep: bool = False, timeout: float = 0.25, clock: Optional[Callable[[], float]] = None,
    ) -> None:
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < math.inf:
            raise ValueError(f"Guard: timeout: seconds above 0 are required, got {timeout!r:.40}")
        self.run = _run_name(run)
        self._path = "/v1/runs/" + self.run
        wanted = {"policy": policy, "options": options if ask is None else {"questions": 12, **(options or {})}}
        self._settings = "".join(f",{_json_of(key)}:{_json_of(value)}" for key, value in wanted.items() if value is not None)
        self._ask, self._raises, self._keeps, self._timeout, self._clock = ask, raise_on_stop, keep, timeout, clock or _now_ms
        self._service = _service_at(url, token)
        self._stop: Optional[LoopStop] = None
        self._words: Optional[str] = None  # They wait for a place where the agent reads them.
        self._reads, self._is_unheard = 0, False  # How often it has read some; and whether the service must hear that it has only now.
        self._pending: Deque[_Event] = deque()
        self._replicas: List[str] = []
        self._seq, self._has_begun, self._asking = 0, False, threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._renew()
        _guards.add(self)

    @property
    def stopped(self) -> Optional[LoopStop]:
        """The end of the run, once it is decided. The user's next message, or `allow`, cancels it."""
        return self._stop

    def call(self, tool: str, args: Any = None, *, id: Optional[str] = None, read_only: Optional[bool] = None) -> Decision:
        """Before a tool runs. If the decision is `refused`, do not run it. You don't need to report a result then."""
        return self._end_of_call(self._decide(_safely(self._note_call, tool, args, id, read_only)))

    async def acall(self, tool: str, args: Any = None, *, id: Optional[str] = None, read_only: Optional[bool] = None) -> Decision:
        return self._end_of_call(await self._adecide(_safely(self._note_call, tool, args, id, read_only)))

    def result(self, output: Any = None, *, id: Optional[str] = None, error: Optional[bool] = None, cancelled: bool = False) -> Decision:
        """After a tool ran. Give `message` to the agent with the result, if there is one: `decision.append_to(output)`.

        Without an `id`, it belongs to the oldest open call. `error`: whether the tool failed, if you know. `cancelled`: counts for nothing.
        """
        return self._end_of_result(self._decide(_safely(self._note_result, output, id, error, cancelled)))

    async def aresult(
        self, output: Any = None, *, id: Optional[str] = None, error: Optional[bool] = None, cancelled: bool = False
    ) -> Decision:
        return self._end_of_result(await self._adecide(_safely(self._note_result, output, id, error, cancelled)))

    def text(self, text: str, *, partial: bool = False) -> Decision:
        """The agent answered without a call; with `partial`, a streamed piece of any answer."""
        return self._end_of_result(self._decide(_safely(self._note, {"type": "text", "text": text, "partial": partial or None})))

    async def atext(self, text: str, *, partial: bool = False) -> Decision:
        return self._end_of_result(await self._adecide(_safely(self._note, {"type": "text", "text": text, "partial": partial or None})))

    def observe(self, event: Mapping[str, Any]) -> Decision:
        """Any event of the service, as it is. `call`, `result` and the others do more: they make ids and keep messages for later."""
        return self._concluded(self._decide(_safely(self._note, event)))

    def round(self) -> None:
        """A new model answer begins. Report all of them or none. It is sent with the next event."""
        _safely(self._note, {"type": "round"})

    def user(self, text: Optional[str] = None) -> None:
        """The user said something. That cancels a stop. It is sent with the next event."""
        _safely(self._note, {"type": "user", "text": text})

    def state(self, key: str, value: Any) -> None:
        """Your own measure of the world, such as a hash of the diff. A new value counts as progress. It is sent with the next event."""
        _safely(self._note, {"type": "state", "key": key, "value": value})

    def compaction(self) -> None:
        """The conversation was compacted: the agent forgot what it had read. It is sent with the next event."""
        _safely(self._note, {"type": "compaction"})

    def words(self) -> Optional[str]:
        """Returns the message for the agent that could not be added to a result of `tool`. Add it to your next message."""
        with self._lock:
            words, self._words = self._words, None
            if words is not None:
                self._is_unheard = self._reads == 0
                self._reads += 1
        return words

    def allow(self, finding: Optional[Mapping[str, Any]] = None) -> bool:
        """Marks a finding, or the latest one, as a false alarm: it is not reported again in this run. Returns whether it was marked."""
        return bool(self._wait(self._submit(self._allow, finding)))

    async def aallow(self, finding: Optional[Mapping[str, Any]] = None) -> bool:
        return bool(await self._await(self._submit(self._allow, finding)))

    def end(self) -> None:
        """The run is over: the service forgets it. The end of a `with` block does this, unless the guard has `keep=True`."""
        self._wait(self._forget())

    def ready(self, timeout: float = 10.0) -> bool:
        """Waits until the service answers, and returns whether it does. Optional: earlier events are sent once it answers."""
        return self._service.wait(self._path, timeout)

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
    def tool(
        self, *, name: Optional[str] = None, read_only: Optional[bool] = None, skip: Iterable[str] = ()
    ) -> Callable[[_Function], _Function]: ...

    def tool(self, function: Any = None, *, name: Optional[str] = None, read_only: Optional[bool] = None, skip: Iterable[str] = ()) -> Any:
        """Guards a function that the agent calls as a tool, async or not.

        A refused call returns the message for the agent instead of running. Other messages are appended to a result that is text, or
        to the text of an error. Any other result, and JSON, stays unchanged: call `words()` to get the message then.

        name: what the agent calls it. read_only: it changes nothing. skip: parameters that the agent does not choose. The context of a
        framework (a class with Context in its name) is always skipped.
        """
        if function is None:
            return functools.partial(self.tool, name=name, read_only=read_only, skip=skip)
        inner = function.func if isinstance(function, functools.partial) else function
        called = name or str(getattr(inner, "__name__", type(inner).__name__))
        arguments = functools.partial(_arguments_of, function, frozenset(skip))

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            before = self.call(called, arguments(args, kwargs), read_only=read_only)
            if before.refused:
                return before.message
            try:
                output = function(*args, **kwargs)
            except Exception as fault:
                self._deliver_in_fault(fault, self.result(_fault_text(fault), id=before.id, error=True).message)
                raise
            except BaseException:
                _safely(self._note, {"type": "result", "id": before.id, "cancelled": True})  # It counts for nothing.
                raise
            if inspect.isawaitable(output):
                return self._awaited(output, before.id)
            return self._deliver(output, self.result(output, id=before.id).message)

        @functools.wraps(function)
        async def aguarded(*args: Any, **kwargs: Any) -> Any:
            before = await self.acall(called, arguments(args, kwargs), read_only=read_only)
            return before.message if before.refused else await self._awaited(function(*args, **kwargs), before.id)

        is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        return aguarded if is_async else guarded

    async def _awaited(self, running: Awaitable[Any], id: Optional[str]) -> Any:
        try:
            output = await running
        except Exception as fault:
            self._deliver_in_fault(fault, (await self.aresult(_fault_text(fault), id=id, error=True)).message)
            raise
        except BaseException:
            _safely(self._note, {"type": "result", "id": id, "cancelled": True})
            raise
        return self._deliver(output, (await self.aresult(output, id=id)).message)

    def _deliver(self, output: Any, words: Optional[str]) -> Any:
        """The output with the words for the agent, if it has room for them."""
        if words is None:
            return output
        if type(output) is str and output.strip()[:1] + output.strip()[-1:] not in ("{}", "[]"):  # Programs parse JSON.
            return _joined(output, words)
        if isinstance(output, list) and output and all(isinstance(part, dict) and "type" in part for part in output):
            return [*output, {"type": "text", "text": words}]
        self._hold(words, f"a result that is not plain text ({type(output).__name__})")
        return output

    def _deliver_in_fault(self, fault: Exception, words: Optional[str]) -> None:
        """Most hosts show the agent the message of an error. Words of an earlier call go: some programs raise one exception again."""
        if type(fault).__str__ is BaseException.__str__ and len(fault.args) == 1 and type(fault.args[0]) is str:
            fault.args = (_joined(_without_words(fault.args[0]), words),)
        elif isinstance(fault, OSError) and type(fault.strerror) is str:
            fault.strerror = _joined(_without_words(fault.strerror), words)
        elif words is not None:
            self._hold(words, f"an exception of {type(fault).__name__}")

    def _hold(self, words: str, place: str) -> None:
        self._words, self._reads, self._is_unheard = words, self._reads - 1, False
        _warn_once(f"could not add the message for the agent to {place}. Add guard.words() to your next message, or the next text gets it")

    # What happened becomes an event, which waits until it is sent.

    def _note_call(self, tool: str, args: Any, id: Any, read_only: Optional[bool]) -> Optional[_Event]:
        id = uuid.uuid4().hex if id in (None, "") else str(id)  # Frameworks have ids that are numbers or UUIDs, too.
        return self._note({"type": "call", "id": id, "tool": tool, "args": args, "readOnly": read_only})

    def _note_result(self, output: Any, id: Any, error: Optional[bool], cancelled: bool) -> Optional[_Event]:
        about = {"id": None if id in (None, "") else str(id), "error": error, "cancelled": cancelled or None}
        return self._note({"type": "result", "output": "" if output is None else output, **about})

    def _note(self, event: Mapping[str, Any]) -> Optional[_Event]:
        """Keeps an event until it is sent. Without a service, there is nowhere to send it."""
        if event.get("type") == "user":
            self._stop, self._words, self._reads = None, None, 0
        if self._service.is_off:
            return None
        given = {str(key): value for key, value in event.items() if value is not None}
        if self._is_unheard and given.get("type") in ("call", "result"):
            given["unheard"], self._is_unheard = True, False
        fields = _output_fields(given.pop("output")) if "output" in given else {}
        fields.update((key, _value_text(value)) for key, value in given.items())
        at = _safely(self._clock) if given.get("type") in ("call", "result") else None
        if isinstance(at, (int, float)) and math.isfinite(at):
            fields.setdefault("at", str(round(at)))
        with self._lock:
            # Numbers grow with the time of day, so that two processes of one run do not use the same.
            self._seq = max(self._seq + 2, int(time.time() * 1_000_000))
            noted = _Event(fields, self._seq, given.get("id"))
            if len(self._pending) >= _MAX_PENDING or sum(len(one.body) for one in self._pending) > _MAX_PENDING_SIZE - len(noted.body):
                self._lose(list(self._pending))
            self._pending.append(noted)
        return noted

    def _lose(self, events: List[_Event]) -> None:
        """Events are lost. The service must not take what it sees next for a repeat: anything may have happened in between."""
        self._pending = deque(one for one in self._pending if one not in events)
        self._pending.appendleft(_Event({"type": '"state"', "key": '"missed-events"'}, events[-1].seq + 1, None))

    # Threads of the service send what waits. The agent waits for the answer, but not longer than `timeout`.

    def _submit(self, job: Callable[..., Any], *details: Any) -> _Future[Any]:
        return _future(is_done=True) if self._service.is_resting() else self._service.submit(job, *details)

    def _wait(self, answer: _Future[Any], patience: Optional[float] = None) -> Any:
        concurrent.futures.wait([answer], self._service.patience(self._timeout) if patience is None else patience)
        return answer.result() if answer.done() else self._service.miss()

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

    def _decide(self, event: Optional[_Event]) -> Decision:
        self._wait(self._sent(event))
        return self._decided(event)

    async def _adecide(self, event: Optional[_Event]) -> Decision:
        await self._await(self._sent(event))
        return self._decided(event)

    def _sent(self, event: Optional[_Event]) -> _Future[Any]:
        sending = self._submit(self._flush)
        return sending if event is None or sending.done() else event.answered

    def _decided(self, event: Optional[_Event]) -> Decision:
        with self._lock:
            decision = event.decision if event is not None else None
            if event is not None:
                event.is_late = decision is None
        if decision is None:
            # A stop holds, whatever became of the service since.
            return self._stop.decision if self._stop is not None else Decision(id=event.id if event is not None else None, run=self.run)
        self._service.succeed()
        return decision

    def _flush(self) -> None:
        """Sends all that waits. Another thread may have done it already."""
        with self._sending:
            with self._lock:
                batch = list(self._pending)
                body = '{"events":[%s]%s}' % (",".join(one.sent() for one in batch), self._settings)
            if not batch:
                return
            self._has_begun = True
            answered = self._service.ask("POST", self._path + "/events", body.encode())
            if answered is not None:
                _safely(self._take, batch, *answered)
            for event in batch:
                if not event.answered.done():
                    event.answered.set_result(None)

    def _take(self, batch: List[_Event], status: int, answer: bytes, replica: str) -> None:
        if replica in self._replicas[:-1]:
            _warn_once(
                "events of one run reach several replicas of the service in turn, so loops are found late or never: "
                "let the load balancer choose the replica by the run's name, which is in the path /v1/runs/NAME/ (see docs/scale.md)"
            )
        self._replicas = [*(one for one in self._replicas if one != replica), replica][-8:]
        try:
            values = json.loads(answer)["decisions"] if status == 200 else [{} for _ in batch]
            decisions = [_decision_of(value, self.run, event.id) for value, event in zip(values, batch)]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            decisions = []
        if len(decisions) != len(batch):
            return self._service.fail("its answer is not a list of decisions")
        with self._lock:
            for event, decision in zip(batch, decisions):
                event.decision = decision
                self._stop = self._stop or decision.stop
                # A call that was to be refused has run meanwhile. The next result gets the words.
                if event.is_late and decision.action == "nudge":
                    self._words = decision.message
            self._pending = deque(one for one in self._pending if one not in batch)
            if status != 200:
                self._lose(batch)  # What is refused once is refused again.
        if status != 200:
            _warn_once(f"the service refused events of this run ({_problem_in(status, answer)}), so they are not looked at")
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
            _warn_once(f"`ask` gave no answer ({type(fault).__name__}), so the rules decide alone")
        finally:
            asking.release()

    def _end_of_call(self, decision: Decision) -> Decision:
        if decision.refused:
            # If nothing has reached the agent yet, this call is answered with words, and the service counts from them.
            words = self.words() if self._reads == 0 and decision.action == "block" else None
            if words is not None:
                decision = dataclasses.replace(decision, message=f"{words}\n\nThis call was not run, so that you can read this first.")
            self._words = None  # A refusal says all that was to be said.
            _safely(self._note, {"type": "result", "id": decision.id, "synthetic": True})
        elif decision.message is not None:
            self._words = decision.message
        return self._concluded(decision)

    def _end_of_result(self, decision: Decision) -> Decision:
        words = self.words()
        # Newer words say all that older ones said.
        if words is not None and decision.message is None:
            decision = dataclasses.replace(decision, action="nudge", message=words)
        elif words is None and decision.message is not None:
            self._reads += 1
        return self._concluded(decision)

    def _concluded(self, decision: Decision) -> Decision:
        if self._raises and decision.stop is not None:
            raise decision.stop
        return decision

    def _allow(self, finding: Optional[Mapping[str, Any]]) -> bool:
        self._flush()
        answered = self._service.ask("POST", self._path + "/allow", _json_of({"loop": finding["loop"]} if finding else {}).encode())
        has_heard = answered is not None and answered[0] == 200
        self._stop = None if has_heard else self._stop
        return has_heard

    def _forget(self) -> _Future[Any]:
        with self._lock:
            self._pending.clear()
            self._asking = threading.Lock()
            has_begun, self._has_begun = self._has_begun, False
        return self._submit(self._service.ask, "DELETE", self._path, None) if has_begun else _future(is_done=True)

    def _renew(self) -> None:
        """New locks, as a process that was forked needs them: for what is remembered, to send one batch at a time, to ask one question."""
        self._lock, self._sending, self._asking = threading.RLock(), threading.Lock(), threading.Lock()


class _Event:
    """An event as it is sent. `fields` are JSON texts by name."""

    def __init__(self, fields: Mapping[str, str], seq: int, id: Any) -> None:
        text = "{" + "".join(f"{_json_of(key)}:{value}," for key, value in fields.items()) + f'"seq":{seq}}}'
        # UTF-8 has no lone surrogates. JSON can escape them.
        self.body = re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)
        self.seq = seq
        self.id: Optional[str] = id if isinstance(id, str) else None
        self.decision: Optional[Decision] = None
        self.answered = _future()
        self.is_late = False  # Nothing waits for its answer any longer. If the service has not got it yet, the agent was told nothing.

    def sent(self) -> str:
        return self.body[:-1] + ',"untold":true}' if self.is_late else self.body


_MAX_PENDING, _MAX_PENDING_SIZE, _MAX_ANSWER = 256, 3_000_000, 8_388_608
_guards: weakref.WeakSet[Guard] = weakref.WeakSet()


_TYPES = {"action": str, "message": str, "explanation": str, "next": str, "would": str, "escalate": int, "finding": dict, "question": dict}


def _decision_of(value: Mapping[str, Any], run: str, id: Optional[str]) -> Decision:
    decision = Decision(id=id, run=run, **{key: value[key] for key, kind in _TYPES.items() if isinstance(value.get(key), kind)})
    if decision.action not in ("nudge", "block", "restart", "stop"):
        # A newer service may know others. What cannot be obeyed is left alone.
        return dataclasses.replace(decision, action="continue", message=None)
    if decision.message is None:
        raise ValueError
    return decision


def _future(is_done: bool = False) -> _Future[Any]:
    """A future that cannot be cancelled by whoever waits for it."""
    future: _Future[Any] = _Future()
    future.set_running_or_notify_cancel()
    if is_done:
        future.set_result(None)
    return future


# Values: what the service is shown of arguments and results.

_MAX_TEXT, _MAX_ITEMS = 131_072, 10_000  # The service compares arguments with few items.


def _output_fields(output: Any) -> Dict[str, str]:
    """A result's `output`; with `digest` and `length` of the whole where it is cut."""
    text = output if isinstance(output, str) else _json_of(output)
    if not isinstance(output, str) and re.fullmatch(r'"<\w+( [0-9a-f]{32})?>"', text):
        return {"digest": _json_of(uuid.uuid4().hex)}  # Iterators, locks and the like look the same, so they must equal nothing.
    if len(text) > _MAX_TEXT:  # The last lines describe a failure.
        return {"output": _json_of(text[:24_576] + "\n" + text[-8_192:]), "digest": f'"{_sha256(text)}"', "length": str(len(text))}
    return {"output": _json_of(output) if isinstance(output, str) else text}


def _value_text(value: Any) -> str:
    """Any other value as JSON, field by field: what is too long in it becomes its beginning, its end and its hash."""
    if not isinstance(value, dict):
        return _shortened(_json_of(value), _MAX_TEXT)
    fields = {str(key): _json_of(part) for key, part in value.items()}
    most = _MAX_TEXT if sum(map(len, fields.values())) <= _MAX_TEXT else 4_096
    return _shortened("{%s}" % ",".join(f"{_json_of(key)}:{_shortened(part, most)}" for key, part in fields.items()), _MAX_TEXT)


def _shortened(text: str, most: int) -> str:
    if len(text) <= most and text.count(",") < _MAX_ITEMS:
        return text
    return _json_of(f"{text[:1_024]}\n[{len(text)} characters, sha256 {_sha256(text)}]\n{text[-1_024:]}")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _json_of(value: Any) -> str:
    """A value as JSON, the same for equal values. What JSON cannot hold is read as the model would read it."""
    for is_odd in (False, True):
        try:
            return json.dumps(repr(value) if is_odd else value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        except Exception:  # Odd keys, a value that holds itself, foreign classes that raise what they like.
            pass
    return f'"<{type(value).__name__} {uuid.uuid4().hex}>"'  # It cannot be compared, so it equals nothing.


def _plain(value: Any) -> Any:
    """What stands in JSON for a value of another kind."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=_json_of)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": len(value), "sha256": hashlib.sha256(value).hexdigest()}
    if callable(getattr(value, "model_dump", None)) and not isinstance(value, type):
        return value.model_dump(mode="json")
    kind: Any = type(value)
    if kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__:
        text = str(value)
        return f"<{kind.__name__}>" if re.fullmatch(r"<.{1,300} at 0x[0-9A-Fa-f]+>", text) else text
    return {key: part for key, part in getattr(value, "__dict__", {}).items() if not key.startswith("_")} or f"<{kind.__name__}>"


def _arguments_of(function: Callable[..., Any], skip: Iterable[str], args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, Any]:
    """The arguments that the agent chose, by name: not the object of a method, and no context of a framework."""
    try:
        named = dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        named = {**{str(index): value for index, value in enumerate(args)}, **kwargs}
    for name, value in list(named.items()):
        is_plain = value is None or isinstance(value, (str, int, float, list, dict))  # A model writes such values.
        if name in skip or (not is_plain and (name in ("self", "cls") or "Context" in type(value).__name__)):
            del named[name]
    return named


def _fault_text(fault: BaseException) -> str:
    try:
        return _without_words(f"{type(fault).__name__}: {fault}")
    except Exception:
        return type(fault).__name__


def _joined(text: str, words: Optional[str]) -> str:
    return "\n\n".join(part for part in (text, words) if part)


def _without_words(text: str) -> str:
    return text.partition("\n\n[doomloop] ")[0]


def _run_name(run: Optional[str]) -> str:
    """The service takes few characters in a name. Other names become a name of those, always the same one."""
    if run is not None and (not isinstance(run, str) or run == ""):
        raise ValueError(f"Guard: run: a string is required, got {run!r:.40}")
    name = run or uuid.uuid4().hex
    if re.fullmatch(r"[A-Za-z0-9._:@~-]{1,200}", name) and name.strip(".") != "":
        return name
    return re.sub(r"[^A-Za-z0-9_:@-]", "~", name)[:150] + "~" + _sha256(name)[:32]


_warned: Set[str] = set()


def _warn_once(text: str, about: str = "") -> None:
    if (about or text) not in _warned and len(_warned) < 256:
        _warned.add(about or text)
        _log.warning("doomloop: %s. doomloop logs this only once.", text)


def _safely(action: Callable[..., _Given], *details: Any) -> Optional[_Given]:
    """A fault of ours never reaches the agent. The log says where, and not what: its words may hold arguments and results."""
    try:
        return action(*details)
    except Exception as fault:
        lines = [line for frame, line in traceback.walk_tb(fault.__traceback__) if frame.f_code.co_filename == __file__]
        _warn_once(f"an internal error ({type(fault).__name__} in line {lines[-1]}). The agent goes on without a guard here")
        return None


def _now_ms(start: float = time.time() - time.monotonic()) -> float:
    """The time of day when the process began plus the time since then: it never runs backwards, and processes agree on it."""
    return (start + time.monotonic()) * 1_000


# The service: where it is, and whether it answers. All guards of a process share it.


class _Service:
    """Asks a service in threads of its own. After a failure it is left alone for a while, so that agents do not wait for nothing."""

    THREADS = 4
    FIRST_REST, LONGEST_REST = 0.5, 30.0
    LONGEST_SILENCE = 2.0  # After that, a connection is given up.
    PATIENCE = 2.0  # While the service starts, agents wait for it this long in all.

    def __init__(self, url: str, token: str, is_off: bool) -> None:
        self._url, self._token, self.is_off = url, token, is_off
        self._name = f"the service at {_printable(url)}" if url else "the service"
        self._address: Optional[Tuple[SplitResult, str]] = None
        self._child: Optional[subprocess.Popen[bytes]] = None
        self._begun_at, self._rest, self._resumes_at = time.monotonic(), 0.0, math.inf if is_off else 0.0
        self._has_failed = False
        self._renew()
        if not is_off:
            self.submit(self.ask, "GET", "/healthz", None)

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
        if self._address is not None:
            return timeout
        waited = time.monotonic() - self._begun_at
        if waited > self.LONGEST_REST:
            self.fail("it does not start")
        return 0.0 if self._has_failed else max(min(timeout, self.PATIENCE - waited), 0.0)

    def wait(self, path: str, timeout: float) -> bool:
        """Waits until the service answers a question about a run, which it does only with the right token."""
        until = time.monotonic() + timeout
        while not self.is_off and time.monotonic() < until and (self._url or not self.is_resting()):  # A program would fail again.
            asked = self.submit(self.ask, "GET", path, None)
            concurrent.futures.wait([asked], until - time.monotonic())
            if asked.done() and asked.result() is not None:
                self.succeed()
                return True
            time.sleep(0.05)
        return False

    def succeed(self) -> None:
        if self._has_failed:
            _log.info("doomloop: %s answers again", self._name)
        self._rest, self._resumes_at, self._has_failed = 0.0, 0.0, False

    def miss(self) -> Any:
        """Somebody has waited in vain. While the service starts, that is no failure."""
        if self._address is not None:
            self.fail("it did not answer in time")

    def fail(self, reason: str) -> None:
        if not self.is_resting():
            self._rest = min(max(self._rest * 2, self.FIRST_REST), self.LONGEST_REST)
            self._resumes_at = time.monotonic() + self._rest
        self._has_failed = True
        text = f"{self._name} cannot be used: {reason}. The agent goes on without a guard. doomloop will try again later"
        _warn_once(text, self._name)

    def ask(self, method: str, path: str, body: Optional[bytes]) -> Optional[Tuple[int, bytes, str]]:
        """The status, the answer and who answers; None unless the service does its work, or says that the request is wrong."""
        try:
            status, answer, replica = self._exchange(method, path, body)
            if status not in (200, 204, 400, 404, 413, 415, 422):
                raise RuntimeError(f"it answers {_problem_in(status, answer)}")
        except Exception as fault:
            self.fail(_printable(str(fault) or type(fault).__name__))
            return None
        return status, answer, replica

    def find(self) -> Tuple[SplitResult, str]:
        """The address and the token."""
        with self._finding:
            if self._child is not None and self._child.poll() is not None:
                self._address = self._child = None
            if self._address is None and self._url:
                self._address = _address_of(self._url, self._token)
            elif self._address is None:
                self._address, self._child = _start_child()
            return self._address

    def _exchange(self, method: str, path: str, body: Optional[bytes]) -> Tuple[int, bytes, str]:
        address, token = self.find()
        own = self._own.__dict__  # Each thread has a connection of its own.
        if own.get("address") is not address:
            kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
            own.update(address=address, connection=kind(str(address.hostname), address.port, timeout=self.LONGEST_SILENCE))
        connection, headers = own["connection"], {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        is_last = connection.sock is None
        while True:
            try:
                connection.request(method, address.path.rstrip("/") + path, body, headers)
                response = connection.getresponse()
                return response.status, response.read(_MAX_ANSWER), response.headers.get("Doomloop-Replica", "")
            except Exception as fault:
                connection.close()
                # Servers close connections that were idle. Events have numbers, so sending them again does no harm.
                if is_last or not isinstance(fault, (ConnectionError, http.client.HTTPException)):
                    raise
                is_last = True


_services: Dict[Tuple[str, str, bool], _Service] = {}


def _service_at(url: Optional[str], token: Optional[str]) -> _Service:
    if url is not None:
        _address_of(url, "any")
    key = (url or os.environ.get("DOOMLOOP_URL", "").strip(), token or "", os.environ.get("DOOMLOOP", "").lower() == "off")
    if key not in _services:
        _services[key] = _Service(*key)
    return _services[key]


def _address_of(url: str, token: str) -> Tuple[SplitResult, str]:
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or re.search(r"[^!-~]|[?#@]", url):
        raise ValueError(f"Guard: url: an address such as http://127.0.0.1:4177 is required, got {_printable(repr(url))}")
    token = token or os.environ.get("DOOMLOOP_TOKEN", "")
    if not re.fullmatch(r"[!-~]+", token):
        raise ValueError("it needs a token: set DOOMLOOP_TOKEN, or pass Guard(token=...)")
    return parts, token


def _start_child() -> Tuple[Tuple[SplitResult, str], subprocess.Popen[bytes]]:
    """Starts the program. It ends when nobody has its input open: with this process, however that ends."""
    program = shutil.which("doomloop")
    # On Windows, the search also finds programs in the current folder. An agent may have written one there.
    if program is None or (os.name == "nt" and os.path.dirname(os.path.abspath(program)) == os.getcwd()):
        advice = "Install Node 22.12 or later, then run `npm install --global doomloop`"
        raise RuntimeError(f"DOOMLOOP_URL is not set, and there is no program `doomloop` on the PATH. {advice}")
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
    return "".join(character if character.isprintable() else " " for character in text)[:200]


def _problem_in(status: int, answer: bytes) -> str:
    """The status, with what problem details (RFC 9457) say."""
    try:
        return f"{status}: {_printable(str(json.loads(answer)['detail']))}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return str(status)


def _after_fork() -> None:
    for service in _services.values():
        service._renew()
    for guard in list(_guards):
        guard._renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
