"""doomloop notices when an LLM agent goes in circles, tells the agent, and breaks the loop if it does not listen.

    from doomloop import Guard

    with Guard() as guard:                              # one guard for one run of an agent
        before = guard.call("search", {"q": "login"})   # before the tool runs
        if before.refused:
            content = before.message                    # do not run it: answer the model with this message
        else:
            output = search("login")
            content = guard.result(output).append_to(output)
        if guard.stopped:
            print(guard.stopped.explanation)            # end your loop

The guard asks the decision service of doomloop. It finds the service by DOOMLOOP_URL and DOOMLOOP_TOKEN, or starts it.
If the service is slow, broken or absent, every answer is "continue": the agent goes on, and a log line says so once.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import dataclasses
import functools
import hashlib
import http.client
import inspect
import io
import ipaddress
import itertools
import json
import logging
import math
import os
import re
import secrets
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import threading
import time
import uuid
import weakref
from collections import deque
from dataclasses import dataclass
from typing import (
    Any,
    Awaitable,
    Callable,
    Deque,
    Dict,
    Iterable,
    List,
    Mapping,
    NoReturn,
    Optional,
    Sequence,
    Set,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)
from urllib.parse import urlsplit

__all__ = ["Decision", "Guard", "LoopStop", "LOOP_DETECTED"]
__version__ = "0.1.0"

LOOP_DETECTED = "LOOP_DETECTED"
"""The status of a run that the guard ended."""

_log = logging.getLogger("doomloop")


class LoopStop(Exception):
    """The end of a run: plain facts that you can route on, store and show. It is raised only with `raise_on_stop=True`."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self.status: str = LOOP_DETECTED
        self.action: str = facts["action"]
        """`stop`, or `restart` if the run should start over."""
        self.run: str = facts["run"]
        self.tool: Optional[str] = facts.get("tool")
        """The tool that was repeated. Its name was written by someone else: escape it before you show it."""
        self.call_id: Optional[str] = facts.get("call_id")
        self.kind: Optional[str] = facts.get("kind")
        self.count: Optional[int] = facts.get("count")
        self.explanation: str = facts["explanation"]
        """An explanation for people."""
        self.message: str = facts["message"]
        """A message for the model, in case you ask it once more."""
        self.finding: Optional[Mapping[str, Any]] = facts.get("finding")

    def __str__(self) -> str:
        return self.explanation


@dataclass(frozen=True)
class Decision:
    """What to do about an event."""

    action: str = "continue"
    """`continue`, `nudge`, `block`, `restart` or `stop`."""
    message: Optional[str] = None
    """The message for the agent."""
    explanation: Optional[str] = None
    """An explanation for people."""
    finding: Optional[Mapping[str, Any]] = None
    """What was seen: `kind`, `count`, `tools`, `confidence`, `loop` and more."""
    next: Optional[str] = None
    """What comes next if the loop goes on."""
    escalate: Optional[int] = None
    """How often the agent was told and went on. Set from the third time."""
    would: Optional[str] = None
    """In shadow mode: what would have been done."""
    question: Optional[Mapping[str, Any]] = None
    """Is the agent stuck? Asked where rules cannot tell, if the policy has `questions`. `Guard(ask=...)` answers it."""
    id: Optional[str] = None
    """The id of the call that this is about, for `Guard.result`."""
    run: str = ""

    @property
    def refused(self) -> bool:
        """Whether the call must not run. Answer it with `message`."""
        return self.action in ("block", "restart", "stop")

    @property
    def stop(self) -> Optional[LoopStop]:
        """The end of the run, if this is it."""
        if self.action not in ("restart", "stop"):
            return None
        tools = (self.finding or {}).get("tools")
        return LoopStop(
            {
                "action": self.action,
                "run": self.run,
                "tool": tools[0] if isinstance(tools, list) and tools else None,
                "call_id": self.id,
                "kind": self.kind,
                "count": self.count,
                "explanation": self.explanation or "Stopped: the agent went in circles.",
                "message": self.message or "",
                "finding": self.finding,
            }
        )

    @property
    def kind(self) -> Optional[str]:
        """Which kind of loop was seen, such as `repeated-call`."""
        kind = (self.finding or {}).get("kind")
        return kind if isinstance(kind, str) else None

    @property
    def count(self) -> Optional[int]:
        """How often, as the finding counts it."""
        count = (self.finding or {}).get("count")
        return count if isinstance(count, int) else None

    def append_to(self, text: str) -> str:
        """The text with the message for the agent appended, if there is one. For text that only the model reads.

        A value that is not text is returned unchanged. Then give `message` to the model yourself.
        """
        return _joined(text, self.message) if self.message is not None and isinstance(text, str) else text


_Function = TypeVar("_Function", bound=Callable[..., Any])
_Given = TypeVar("_Given")
_Ask = Callable[[str, str], Union[str, Awaitable[str]]]
_CONTINUE = Decision()


class Guard:
    """Watches one run of an agent, from its first call to its last. Several threads and tasks may use it.

    Nothing here raises or waits longer than `timeout`, except that `raise_on_stop` raises `LoopStop`.

    run: names the run; without it, the run gets a new random name. Two guards with the same name are one run.
    url, token: the service; by default DOOMLOOP_URL and DOOMLOOP_TOKEN, else a service that this process starts.
    policy: `balanced` (the default of the service), `conservative`, `aggressive`, `shadow`, or a name that the service knows.
    options: what the service lets clients set, such as `{"tools": {"check_job": {"poll": True}}}`.
    ask: gets a system prompt and a message, asks a model of yours, and returns its answer as text; async or not. It is called a few
        times in a run, where rules cannot tell whether the agent is stuck. Nothing waits for it, and an answer after 5 seconds is ignored.
    keep: keeps the run at the service when the `with` block ends, so that another process can continue it.
    timeout: how many seconds one exchange may take.
    clock: milliseconds, never backwards; for tests.
    """

    def __init__(
        self,
        run: Optional[str] = None,
        *,
        url: Optional[str] = None,
        token: Optional[str] = None,
        policy: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
        ask: Optional[_Ask] = None,
        raise_on_stop: bool = False,
        keep: bool = False,
        timeout: float = 0.25,
        clock: Optional[Callable[[], float]] = None,
    ) -> None:
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < math.inf:
            raise ValueError(f"Guard: timeout: seconds above 0 are required, got {timeout!r:.40}")
        if ask is not None and not callable(ask):
            raise ValueError(f"Guard: ask: a function is required, got {ask!r:.40}")
        self.run = _run_name(run)
        self._path = "/v1/runs/" + self.run
        self._plain_settings = self._settings = _settings_text(policy, options)
        self._asker: Optional[_Asker] = None
        if ask is not None:
            self._settings = _settings_text(policy, {"questions": _MOST_QUESTIONS, **(options or {})})
            self._asker = _Asker(ask, self._raw_event)
        self._raises = raise_on_stop
        self._keeps = keep
        self._timeout = timeout
        self._clock = clock or _now_ms
        self._service = _service_at(url, token)
        self._stop: Optional[LoopStop] = None
        self._pending: Deque[_Event] = deque()
        self._pending_bytes = 0
        self._open: Deque[str] = deque(maxlen=_MAX_PENDING)
        self._words: Optional[str] = None
        self._seq = 0
        self._gaps = 0
        self._has_begun = False
        self._said: Set[str] = set()
        self._renew_locks()
        _guards.add(self)

    @property
    def stopped(self) -> Optional[LoopStop]:
        """The end of the run, once it is decided. The user's next message, or `allow`, cancels it."""
        return self._stop

    def call(self, tool: str, args: Any = None, *, id: Optional[str] = None, read_only: Optional[bool] = None) -> Decision:
        """Before a tool runs. If the decision is `refused`, do not run it. You don't need to report a result then."""
        event = _safely(self._call_event, tool, args, id, read_only)
        return self._end_of_call(event, self._decide(event))

    async def acall(
        self, tool: str, args: Any = None, *, id: Optional[str] = None, read_only: Optional[bool] = None
    ) -> Decision:
        """`call`, for asyncio."""
        event = _safely(self._call_event, tool, args, id, read_only)
        return self._end_of_call(event, await self._adecide(event))

    def result(
        self, output: Any = None, *, id: Optional[str] = None, error: Optional[bool] = None, cancelled: bool = False
    ) -> Decision:
        """After a tool ran. Give `message` to the agent with the result, if there is one: `decision.append_to(output)`.

        Without an `id`, the result belongs to the oldest call that has none yet. `error` says whether the tool failed, if you know.
        A call that was `cancelled` counts neither as a failure nor as a repeat.
        """
        event = _safely(self._result_event, output, id, error, cancelled)
        return self._end_of_result(self._decide(event))

    async def aresult(
        self, output: Any = None, *, id: Optional[str] = None, error: Optional[bool] = None, cancelled: bool = False
    ) -> Decision:
        """`result`, for asyncio."""
        event = _safely(self._result_event, output, id, error, cancelled)
        return self._end_of_result(await self._adecide(event))

    def text(self, text: str, *, partial: bool = False) -> Decision:
        """The agent answered without a call; with `partial`, a streamed piece of any answer."""
        return self._end_of_result(self._decide(_safely(self._text_event, text, partial)))

    async def atext(self, text: str, *, partial: bool = False) -> Decision:
        """`text`, for asyncio."""
        return self._end_of_result(await self._adecide(_safely(self._text_event, text, partial)))

    def observe(self, event: Mapping[str, Any]) -> Decision:
        """Any event of the service, as it is. `call`, `result` and the others do more: they find ids and keep messages for later."""
        return self._concluded(self._decide(_safely(self._raw_event, event)))

    async def aobserve(self, event: Mapping[str, Any]) -> Decision:
        """`observe`, for asyncio."""
        return self._concluded(await self._adecide(_safely(self._raw_event, event)))

    def round(self) -> None:
        """A new model answer begins. Report all of them or none. It is sent with the next event."""
        _safely(self._raw_event, {"type": "round"})

    def user(self, text: Optional[str] = None) -> None:
        """The user said something. That cancels a stop. It is sent with the next event."""
        _safely(self._raw_event, {"type": "user", "text": text})

    def state(self, key: str, value: Any) -> None:
        """Your own measure of the world, such as a hash of the diff. A new value counts as progress. It is sent with the next event."""
        _safely(self._raw_event, {"type": "state", "key": key, "value": value})

    def compaction(self) -> None:
        """The conversation was compacted: the agent forgot what it had read. It is sent with the next event."""
        _safely(self._raw_event, {"type": "compaction"})

    def words(self) -> Optional[str]:
        """Returns the message for the agent that could not be added to a result of `tool`. Add it to your next message."""
        with self._lock:
            words, self._words = self._words, None
        return words

    def allow(self, finding: Optional[Mapping[str, Any]] = None) -> bool:
        """Marks a finding, or the latest one, as a false alarm: it is not reported again in this run. Returns whether the service got it."""
        return bool(_safely(self._allow, finding))

    async def aallow(self, finding: Optional[Mapping[str, Any]] = None) -> bool:
        """`allow`, for asyncio."""
        return await _in_thread(self.allow, finding)

    def end(self) -> None:
        """The run is over: the service forgets it. The end of a `with` block does this, unless the guard has `keep=True`."""
        _safely(self._end)

    async def aend(self) -> None:
        """`end`, for asyncio."""
        await _in_thread(self.end)

    def ready(self, timeout: float = 10.0) -> bool:
        """Waits until the service answers, and returns whether it does. Optional: earlier events are sent once it answers."""
        return self._service is not None and bool(_safely(self._service.wait, self._path, timeout))

    def __enter__(self) -> Guard:
        return self

    def __exit__(self, *_: object) -> None:
        _safely(self._flush) if self._keeps else self.end()

    async def __aenter__(self) -> Guard:
        return self

    async def __aexit__(self, *details: object) -> None:
        await _in_thread(self.__exit__, *details)

    @overload
    def tool(self, function: _Function) -> _Function: ...

    @overload
    def tool(
        self, *, name: Optional[str] = None, read_only: Optional[bool] = None, skip: Iterable[str] = ()
    ) -> Callable[[_Function], _Function]: ...

    def tool(
        self,
        function: Optional[_Function] = None,
        *,
        name: Optional[str] = None,
        read_only: Optional[bool] = None,
        skip: Iterable[str] = (),
    ) -> Union[_Function, Callable[[_Function], _Function]]:
        """Guards a function that the agent calls as a tool, async or not.

        A refused call returns the message for the agent instead of running. Other messages are appended to a result that is text, or
        to the text of an error. Any other result, and JSON, stays unchanged: call `words()` to get the message then.

        name: what the agent calls it. read_only: it changes nothing. skip: parameters that the agent does not choose. A parameter with
        the context of a framework (a class with Context in its name) is always skipped.
        """

        def decorate(wrapped: _Function) -> _Function:
            called = name or _name_of_function(wrapped)
            return self._guarded(wrapped, called, read_only, frozenset(skip))

        return decorate if function is None else decorate(function)

    def _guarded(self, function: _Function, name: str, read_only: Optional[bool], skip: Iterable[str]) -> _Function:
        arguments = _argument_reader(function, skip)

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            before = self.call(name, arguments(args, kwargs), read_only=read_only)
            if before.refused:
                return before.message
            try:
                output = function(*args, **kwargs)
            except Exception as fault:
                self._deliver_in_fault(fault, self.result(_without_words(_fault_text(fault)), id=before.id, error=True))
                raise
            except BaseException:
                self._cancel(before.id)
                raise
            if inspect.isawaitable(output):
                return self._awaited(output, before.id, name)
            return self._deliver(output, self.result(output, id=before.id), name)

        @functools.wraps(function)
        async def aguarded(*args: Any, **kwargs: Any) -> Any:
            before = await self.acall(name, arguments(args, kwargs), read_only=read_only)
            return before.message if before.refused else await self._awaited(function(*args, **kwargs), before.id, name)

        is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        return cast(_Function, aguarded if is_async else guarded)

    async def _awaited(self, running: Awaitable[Any], id: Optional[str], tool: str) -> Any:
        try:
            output = await running
        except Exception as fault:
            self._deliver_in_fault(fault, await self.aresult(_without_words(_fault_text(fault)), id=id, error=True))
            raise
        except BaseException:
            self._cancel(id)
            raise
        return self._deliver(output, await self.aresult(output, id=id), tool)

    def _deliver(self, output: Any, decision: Decision, tool: str) -> Any:
        """The output with the words for the agent. If it has no room for them, they wait for the next result, or for `words`."""
        words = decision.message
        if words is None:
            return output
        if type(output) is str and not _is_json(output):
            return _joined(output, words)
        if isinstance(output, list) and output and all(isinstance(part, dict) and "type" in part for part in output):
            return [*output, {"type": "text", "text": words}]
        self._hold(words)
        self._say(
            f"could not add the message for the agent to the result of {_name_of(tool)}, because it is not plain text. "
            "The next plain text result gets it. Or call guard.words() and add it to your next message."
        )
        return output

    def _deliver_in_fault(self, fault: Exception, decision: Decision) -> None:
        """Most hosts show the agent the message of an error. Words of an earlier call go: some programs raise one exception again."""
        words = decision.message
        if type(fault).__str__ is BaseException.__str__ and len(fault.args) == 1 and type(fault.args[0]) is str:
            fault.args = (_joined(_without_words(fault.args[0]), words),)
        elif isinstance(fault, OSError) and type(fault.strerror) is str:
            fault.strerror = _joined(_without_words(fault.strerror), words)
        elif words is not None:
            self._hold(words)
            self._say(
                f"could not add the message for the agent to an exception of {type(fault).__name__}. "
                "The next plain text result gets it. Or call guard.words() and add it to your next message."
            )

    def _cancel(self, id: Optional[str]) -> None:
        """A cancelled call counts for nothing. There is no need to wait for an answer."""
        self._close(id)
        _safely(self._raw_event, {"type": "result", "id": id, "cancelled": True})

    def _close(self, id: Optional[str]) -> None:
        with self._lock:
            if id is not None and id in self._open:
                self._open.remove(id)

    # What happened becomes an event, which waits until it is sent.

    def _call_event(self, tool: str, args: Any, id: Optional[str], read_only: Optional[bool]) -> Optional[_Event]:
        id = _id_of(id) or uuid.uuid4().hex
        with self._lock:
            self._open.append(id)
        fields = {"type": '"call"', "id": _text_of(id), "tool": _text_of(tool)}
        if args is not None:
            fields["args"] = _arguments_text(args)
        if read_only is not None:
            fields["readOnly"] = "true" if read_only else "false"
        return self._note(fields, id)

    def _result_event(self, output: Any, id: Optional[str], error: Optional[bool], cancelled: bool) -> Optional[_Event]:
        id = _id_of(id)
        with self._lock:
            if id is None and self._open:
                id = self._open[0]
            self._close(id)
        if id is None:
            self._say("a result came without a call: report each call with guard.call before it runs")
            return None
        fields = {"type": '"result"', "id": _text_of(id), **_output_fields(output)}
        if error is not None:
            fields["error"] = "true" if error else "false"
        if cancelled:
            fields["cancelled"] = "true"
        return self._note(fields, id)

    def _text_event(self, text: str, partial: bool) -> Optional[_Event]:
        return self._note({"type": '"text"', "text": _text_of(text), **({"partial": "true"} if partial else {})})

    def _raw_event(self, event: Mapping[str, Any]) -> Optional[_Event]:
        if event.get("type") == "user":
            self._stop = None
        told = {str(key): value for key, value in event.items() if value is not None}
        fields = {key: _arguments_text(value) for key, value in told.items() if key != "output"}
        if "output" in told:
            fields = {**_output_fields(told["output"]), **fields}
        id = event.get("id")
        return self._note(fields, id if isinstance(id, str) else None)

    def _note(self, fields: Dict[str, str], id: Optional[str] = None) -> Optional[_Event]:
        """Keeps an event until it is sent. Without a service, there is nowhere to send it."""
        if self._service is None:
            return None
        if fields.get("type") in ('"call"', '"result"') and "at" not in fields:
            at = _safely(self._clock)
            if isinstance(at, (int, float)) and math.isfinite(at):
                fields["at"] = str(round(at))
        with self._lock:
            event = _Event(fields, self._next_seq(), id)
            if len(self._pending) >= _MAX_PENDING or self._pending_bytes + len(event.body) > _MAX_PENDING_BYTES:
                # The service may have heard some of them, under their numbers.
                self._lose(len(self._pending), event.seq)
                event = _Event(fields, self._next_seq(), id)
            self._pending.append(event)
            self._pending_bytes += len(event.body)
        return event

    def _next_seq(self) -> int:
        """Numbers grow with the time of day, so that two processes of one run do not use the same. Between two there is room for one."""
        self._seq = max(self._seq + 2, int(time.time() * 1_000_000))
        return self._seq

    def _lose(self, count: int, seq: int) -> None:
        """Events are lost. The service must not take what it sees next for a repeat: anything may have happened in between."""
        for _ in range(count):
            self._pending_bytes -= len(self._pending.popleft().body)
        self._gaps += 1
        for one in (1, 0):
            fields = {"type": '"state"', "key": '"missed-events"', "value": str(self._gaps - 1 + one)}
            event = _Event(fields, seq + one, None)
            self._pending.appendleft(event)
            self._pending_bytes += len(event.body)

    # An event is sent with all that wait before it, and answered.

    def _decide(self, event: Optional[_Event]) -> Decision:
        decision = self._decided(event)
        if self._asker is not None:
            _safely(self._asker.begin, None)
        return decision

    def _decided(self, event: Optional[_Event]) -> Decision:
        decision = _safely(self._exchange, event) if event is not None else None
        if decision is not None:
            return decision
        # A stop holds, whatever became of the service since.
        if self._stop is not None:
            return Decision("stop", self._stop.message, self._stop.explanation, self._stop.finding, run=self.run)
        return Decision(id=event.id, run=self.run) if event is not None else _CONTINUE

    async def _adecide(self, event: Optional[_Event]) -> Decision:
        if event is None or self._service is None or self._service.is_resting():
            return self._decide(event)
        decision = await _in_thread(self._decided, event)
        if self._asker is not None:
            _safely(self._asker.begin, _running_loop())
        return decision

    def _exchange(self, event: _Event) -> Optional[Decision]:
        until = time.monotonic() + self._timeout
        try:
            self._send(event, until)
        finally:
            with self._lock:
                # Nothing waits for this answer any longer, so its message is kept for the next result.
                event.is_late = event.decision is None
        return event.decision

    def _send(self, event: Optional[_Event], until: float) -> None:
        service = self._service
        if service is None or service.is_resting() or not self._sending.acquire(timeout=_left(until)):
            return
        try:
            while (event is None or event.decision is None) and service.is_ready(until):
                with self._lock:
                    batch = list(self._batch())
                if not batch:
                    return
                self._send_batch(service, batch, until)
        except _Failed as fault:
            service.fail(fault)
        finally:
            self._sending.release()

    def _batch(self) -> Iterable[_Event]:
        size = 0
        for event in itertools.islice(self._pending, _MAX_BATCH):
            size += len(event.body)
            if size > _MAX_BATCH_BYTES and size > len(event.body):
                return
            yield event

    def _send_batch(self, service: _Service, batch: Sequence[_Event], until: float) -> None:
        self._has_begun = True
        body = b'{"events":[' + b",".join(event.sent() for event in batch) + b"]" + self._settings + b"}"
        status, answer = service.ask("POST", self._path + "/events", body, until)
        if status == 400 and b"questions" in answer and self._settings != self._plain_settings:
            self._settings = self._plain_settings
            self._say("the service does not let clients set `questions`, so `ask` is called only if the service's policy has some")
            return
        if status != 200:
            self._say(f"the service refused events of this run ({_problem_in(status, answer)}), so they are not looked at")
        decisions = self._read(answer, batch) if status == 200 else []
        with self._lock:
            if status != 200:
                # What is refused once is refused again.
                self._lose(len(batch), batch[-1].seq)
                for event in batch:
                    event.decision = Decision(id=event.id, run=self.run)
                return
            for event, decision in zip(batch, decisions):
                self._pending_bytes -= len(self._pending.popleft().body)
                event.decision = decision
                self._hear(event, decision)

    def _read(self, answer: bytes, batch: Sequence[_Event]) -> List[Decision]:
        try:
            decisions = json.loads(answer)["decisions"]
            if len(decisions) != len(batch):
                raise ValueError
            return [_decision_of(value, self.run, event.id) for value, event in zip(decisions, batch)]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise _Failed("its answer is not a list of decisions") from None

    def _hear(self, event: _Event, decision: Decision) -> None:
        if decision.stop is not None and self._stop is None:
            self._stop = decision.stop
        if decision.question is not None and self._asker is not None:
            self._asker.hear(decision.question)
        # A call that was to be refused has run meanwhile.
        if event.is_late and decision.action == "nudge":
            self._words = decision.message

    def _end_of_call(self, event: Optional[_Event], decision: Decision) -> Decision:
        if decision.refused and event is not None and event.id is not None:
            self._close(event.id)
            _safely(self._raw_event, {"type": "result", "id": event.id, "synthetic": True})
        elif decision.message is not None:
            self._hold(decision.message)
        return self._concluded(decision)

    def _end_of_result(self, decision: Decision) -> Decision:
        words = self.words()
        # Newer words say all that older ones said.
        if words is not None and decision.message is None:
            action = "nudge" if decision.action == "continue" else decision.action
            decision = dataclasses.replace(decision, action=action, message=words)
        return self._concluded(decision)

    def _concluded(self, decision: Decision) -> Decision:
        stop = decision.stop
        if stop is not None and self._raises:
            raise stop
        return decision

    def _hold(self, words: str) -> None:
        with self._lock:
            self._words = words

    def _flush(self) -> None:
        self._send(None, time.monotonic() + self._timeout)

    def _allow(self, finding: Optional[Mapping[str, Any]]) -> bool:
        self._flush()
        body = json.dumps({"loop": finding["loop"]} if finding is not None else {}).encode()
        has_heard = self._ask_once("POST", self._path + "/allow", body) == 200
        if has_heard:
            self._stop = None
        return has_heard

    def _end(self) -> None:
        with self._lock:
            self._pending.clear()
            self._pending_bytes = 0
            self._open.clear()
        if self._asker is not None:
            self._asker.forget()
        if self._has_begun:
            self._ask_once("DELETE", self._path, None)
            self._has_begun = False

    def _ask_once(self, method: str, path: str, body: Optional[bytes]) -> Optional[int]:
        service, until = self._service, time.monotonic() + self._timeout
        if service is None or service.is_resting() or not service.is_ready(until):
            return None
        try:
            return service.ask(method, path, body, until)[0]
        except _Failed as fault:
            service.fail(fault)
            return None

    def _say(self, words: str) -> None:
        if words not in self._said and len(self._said) < 16:
            self._said.add(words)
            _log.warning("doomloop: %s", words)

    def _renew_locks(self) -> None:
        self._lock = threading.RLock()
        """For what the guard remembers; held for moments."""
        self._sending = threading.Lock()
        """Events of a run are sent one batch after the other."""
        if self._asker is not None:
            self._asker.renew()


class _Question:
    """A question that the service has asked, with what to ask a model."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        request = value["request"]
        self.id = value["id"]
        self.system, self.message = request["system"], request["message"]
        if not isinstance(self.id, int) or not isinstance(self.system, str) or not isinstance(self.message, str):
            raise TypeError


class _Asker:
    """Asks the host's model, one question at a time, while the agent goes on. The answer is sent with the next event."""

    LONGEST = 5.0

    def __init__(self, ask: _Ask, send: Callable[[Mapping[str, Any]], object]) -> None:
        self._ask = ask
        self._send = send
        self._is_async = inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(getattr(ask, "__call__", None))
        self.renew()

    def renew(self) -> None:
        """A process that was forked has none of the threads and tasks that answer."""
        self._task: Optional[asyncio.Task[None]] = None
        self._lock = threading.Lock()
        self._next: Optional[_Question] = None
        self._open: Optional[_Question] = None

    def forget(self) -> None:
        """The run is over: its answers are of no use any more."""
        with self._lock:
            task, self._task = self._task, None
            self._next = self._open = None
        if task is not None and not task.done():
            try:
                task.get_loop().call_soon_threadsafe(task.cancel)
            except RuntimeError:  # The loop is closed, and the task with it.
                pass

    def hear(self, value: Mapping[str, Any]) -> None:
        """Notes a question. One that comes without a request cannot be asked: the service knows too little of the run."""
        try:
            self._next = _Question(value)
        except (KeyError, TypeError):
            pass

    def begin(self, loop: Optional[asyncio.AbstractEventLoop]) -> None:
        """Asks the question that was noted, unless an earlier one is still open: in a task of the loop, or in a thread."""
        with self._lock:
            question, self._next = self._next, None
            if question is None or self._open is not None:
                return
            self._open = question
        try:
            if self._is_async and loop is not None:
                self._task = loop.create_task(self._answer_in_task(question))
            else:
                threading.Thread(target=self._answer, args=(question,), name="doomloop ask", daemon=True).start()
        except BaseException:
            self._open = None
            raise

    def _answer(self, question: _Question) -> None:
        until = time.monotonic() + self.LONGEST
        too_late = threading.Timer(self.LONGEST, self._tell, [f"it took longer than {self.LONGEST:g} seconds"])
        too_late.daemon = True
        too_late.start()
        try:
            answer = self._ask(question.system, question.message)
            if inspect.isawaitable(answer):
                answer = asyncio.run(_awaited_within(answer, _left(until)))
            if time.monotonic() < until:
                self._take(question, answer)
        except Exception as fault:
            self._tell(type(fault).__name__)
        finally:
            too_late.cancel()
            self._close(question)

    async def _answer_in_task(self, question: _Question) -> None:
        try:
            answer = self._ask(question.system, question.message)
            if inspect.isawaitable(answer):
                answer = await asyncio.wait_for(answer, self.LONGEST)
            self._take(question, answer)
        except Exception as fault:
            self._tell(type(fault).__name__)
        finally:
            self._close(question)

    def _take(self, question: _Question, answer: Any) -> None:
        verdict = _verdict_in(answer)
        if verdict is None and answer is not None:
            self._tell("its answer is not a verdict")
        with self._lock:
            if verdict is not None and self._open is question:
                self._send({"type": "opinion", "question": question.id, **verdict})

    def _close(self, question: _Question) -> None:
        with self._lock:
            if self._open is question:
                self._open = None

    def _tell(self, reason: str) -> None:
        """Says what kind of fault, and not its words: they may hold a key, or what the agent has read."""
        if "ask" not in _told_of:
            _told_of.add("ask")
            _log.warning("doomloop: `ask` gave no answer (%s), so the rules decide alone. doomloop logs this only once.", reason)


async def _awaited_within(answer: Awaitable[_Given], seconds: float) -> _Given:
    return await asyncio.wait_for(answer, seconds)


def _running_loop() -> Optional[asyncio.AbstractEventLoop]:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_MOST_QUESTIONS = 12
_MAX_OPINION = 4_000
_VERDICTS = ("stuck", "working", "unsure")


def _verdict_in(answer: Any) -> Optional[Dict[str, Any]]:
    """Reads an answer strictly: one JSON object with a verdict, alone or in a text. None for everything else."""
    if isinstance(answer, Mapping):
        return _verdict_of(answer)
    if not isinstance(answer, str) or len(answer) > _MAX_OPINION:
        return None
    found = [verdict for verdict in map(_verdict_of, map(_parsed_object, re.findall(r"\{[^{}]*\}", answer))) if verdict]
    return found[0] if found and all(one["verdict"] == found[0]["verdict"] for one in found) else None


def _parsed_object(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _verdict_of(value: Any) -> Optional[Dict[str, Any]]:
    if not isinstance(value, Mapping) or value.get("verdict") not in _VERDICTS:
        return None
    since = value.get("since")
    is_call = type(since) is int and 0 <= since < 2**53
    return {"verdict": value["verdict"], **({"since": since} if is_call else {})}


class _Event:
    """An event as it is sent. `fields` are JSON texts by name."""

    body: bytes
    seq: int
    id: Optional[str]
    decision: Optional[Decision]
    is_late: bool
    """Nothing waited for its answer. If the service has not got it yet, the agent was told nothing when it happened."""

    def __init__(self, fields: Mapping[str, str], seq: int, id: Optional[str]) -> None:
        text = "{" + "".join(f"{json.dumps(key)}:{value}," for key, value in fields.items()) + f'"seq":{seq}}}'
        self.body = _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text).encode()
        self.seq = seq
        self.id = id
        self.decision = None
        self.is_late = False

    def sent(self) -> bytes:
        return self.body[:-1] + b',"untold":true}' if self.is_late else self.body


_MAX_PENDING = 256
_MAX_PENDING_BYTES = 4_194_304
_MAX_BATCH = 64
_MAX_BATCH_BYTES = 2_097_152
_MAX_ANSWER = 8_388_608
_ACTIONS = ("continue", "nudge", "block", "restart", "stop")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_guards: weakref.WeakSet[Guard] = weakref.WeakSet()


def _decision_of(value: Mapping[str, Any], run: str, id: Optional[str]) -> Decision:
    action, message = value.get("action"), value.get("message")
    if action not in _ACTIONS or (action != "continue" and not isinstance(message, str)):
        raise ValueError
    texts = {key: value.get(key) for key in ("message", "explanation", "next", "would")}
    known: Dict[str, Any] = {key: text for key, text in texts.items() if isinstance(text, str)}
    finding, escalate, question = value.get("finding"), value.get("escalate"), value.get("question")
    return Decision(
        action=cast(str, action),
        finding=finding if isinstance(finding, dict) else None,
        escalate=escalate if isinstance(escalate, int) else None,
        question=question if isinstance(question, dict) else None,
        id=id,
        run=run,
        **known,
    )


def _id_of(id: Any) -> Optional[str]:
    """Frameworks have ids that are numbers or UUIDs, too."""
    return None if id is None or id == "" else str(id)


def _settings_text(policy: Optional[str], options: Optional[Mapping[str, Any]]) -> bytes:
    settings = {"policy": policy, "options": options}
    return b"".join(b"," + json.dumps({key: value})[1:-1].encode() for key, value in settings.items() if value is not None)


def _run_name(run: Optional[str]) -> str:
    """The service takes few characters in a name. Other names become a name of those, always the same one."""
    if run is None:
        return uuid.uuid4().hex
    if not isinstance(run, str) or run == "":
        raise ValueError(f"Guard: run: a string is required, got {run!r:.40}")
    if re.fullmatch(r"[A-Za-z0-9._:@~-]{1,200}", run) and run.strip(".") != "":
        return run
    return re.sub(r"[^A-Za-z0-9_:@-]", "~", run)[:150] + "~" + _sha256(run)[:32]


# Values: what the service is shown of arguments and results.

_MAX_OUTPUT = 262_144
_HEAD = 24_576
_TAIL = 8_192
_MAX_ARGUMENTS = 131_072
_MAX_DEPTH = 40
_MAX_NODES = 50_000
_TELLS_NOTHING = re.compile(r"<.{1,300} at 0x[0-9A-Fa-f]+>")


def _text_of(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    return json.dumps(_cut(text) if len(text) > _MAX_OUTPUT else text, ensure_ascii=False)


def _cut(text: str) -> str:
    """The beginning and the end of a long text: the last lines describe a failure."""
    return text[:_HEAD] + "\n" + text[-_TAIL:]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _unequal() -> str:
    """A digest of what cannot be compared, so that it equals nothing."""
    return json.dumps(uuid.uuid4().hex)


def _output_fields(output: Any) -> Dict[str, str]:
    """A result's `output`; with `digest` and `length` of the whole where it is cut."""
    if output is None:
        return {"output": '""'}
    text = output if isinstance(output, str) else _json_of(output)
    if not isinstance(output, str) and _tells_nothing(output):
        return {"digest": _unequal()}
    if len(text) > _MAX_OUTPUT:
        return {"output": _text_of(text), "digest": json.dumps(_sha256(text)), "length": str(len(text))}
    return {"output": _text_of(text) if isinstance(output, str) else text}


def _arguments_text(args: Any) -> str:
    """Arguments as JSON. Long texts in them become their beginning, their end and their hash."""
    if isinstance(args, str) and len(args) > _MAX_ARGUMENTS:
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            pass
    text = _json_of(args)
    if len(text) <= _MAX_ARGUMENTS:
        return text
    shorter = _json_of(_plain(args, _MAX_DEPTH, [_MAX_NODES], _marked))
    return shorter if len(shorter) <= _MAX_ARGUMENTS else json.dumps({"sha256": _sha256(text), "length": len(text)})


def _marked(text: str) -> str:
    if len(text) <= 4_096:
        return text
    return f"{text[:2_048]}\n[{len(text)} characters, sha256 {_sha256(text)}]\n{text[-1_024:]}"


def _json_of(value: Any) -> str:
    """A value as JSON, the same for equal values. What is no JSON is read as the model would read it, within bounds."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except Exception:  # Foreign classes raise what they like.
        return json.dumps(_plain(value, _MAX_DEPTH, [_MAX_NODES]), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any, depth: int, budget: List[int], of_text: Callable[[str], str] = str) -> Any:
    """A value as JSON has it. `depth` and `budget` bound the work; what lies beyond them is a hash."""
    budget[0] -= 1
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return of_text(str.__str__(value))
    if isinstance(value, int):
        return int(value) if abs(value) < 2**1000 else f"{value:#x}"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else repr(float(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"bytes": len(value), "sha256": hashlib.sha256(value).hexdigest()}
    if depth <= 0 or budget[0] <= 0:
        return _hashed(value)
    try:
        return _plain_parts(value, lambda part: _plain(part, depth - 1, budget, of_text), max(budget[0], 0))
    except Exception:  # Foreign classes raise what they like.
        return f"<{type(value).__name__}>"


def _plain_parts(value: Any, plain: Callable[[Any], Any], most: int) -> Any:
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in itertools.islice(value.items(), most)}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in itertools.islice(value, most)]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(part) for part in itertools.islice(value, most)), key=_json_of)
    if isinstance(value, type):
        return f"<class {value.__name__}>"
    model_dump = getattr(value, "model_dump", None)
    if callable(model_dump):
        return plain(model_dump(mode="json"))
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name, None)) for field in dataclasses.fields(value)}
    kind: Any = type(value)
    if kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__:
        text = str(value)
        return f"<{type(value).__name__}>" if _TELLS_NOTHING.fullmatch(text) else text
    own = {key: part for key, part in vars(value).items() if not key.startswith("_")}
    return {key: plain(part) for key, part in own.items()} if own else f"<{type(value).__name__}>"


def _tells_nothing(value: Any) -> bool:
    """Iterators, locks, functions and the like: two of them look the same, whatever they hold."""
    if isinstance(value, (bool, int, float, Mapping, list, tuple, set, frozenset, bytes, bytearray, memoryview)):
        return False
    return bool(_plain(value, 2, [64]) == f"<{type(value).__name__}>")


def _hashed(value: Any) -> str:
    try:
        return f"<{type(value).__name__} {_sha256(repr(value))}>"
    except Exception:
        return f"<{type(value).__name__}>"


def _argument_reader(function: Callable[..., Any], skip: Iterable[str]) -> Callable[[Tuple[Any, ...], Dict[str, Any]], Any]:
    """Reads the arguments that the agent chose, by name."""
    try:
        signature: Optional[inspect.Signature] = inspect.signature(function)
    except (TypeError, ValueError):
        signature = None

    def read(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        try:
            if signature is None:
                raise TypeError
            named = dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:
            named = {**{str(index): value for index, value in enumerate(args)}, **kwargs}
        return {name: value for name, value in named.items() if name not in skip and not _is_given_by_host(name, value)}

    return read


def _is_given_by_host(name: str, value: Any) -> bool:
    """The object of a method, and what holds the context of a framework. A model writes plain values."""
    if value is None or isinstance(value, (str, int, float, list, dict)):
        return False
    return name in ("self", "cls") or "Context" in type(value).__name__


def _name_of_function(function: Any) -> str:
    """An object that can be called is named by its class, and a partial by what it calls."""
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__name__", None) or type(function).__name__)


def _fault_text(fault: BaseException) -> str:
    try:
        return f"{type(fault).__name__}: {fault}"
    except Exception:
        return type(fault).__name__


def _joined(text: str, words: Optional[str]) -> str:
    return "\n\n".join(part for part in (text, words) if part)


def _without_words(text: str) -> str:
    """A text without words that were added before."""
    at = text.find("\n\n[doomloop] ")
    return text if at < 0 else text[:at]


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or array, which programs parse. One that is too long to parse is judged by its brackets."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "["):
        return False
    if len(stripped) > 1_048_576:
        return stripped[-1:] in ("}", "]")
    try:
        json.loads(stripped)
        return True
    except (ValueError, RecursionError):
        return False


def _name_of(tool: Any) -> str:
    return tool if isinstance(tool, str) and re.fullmatch(r"[\w.:-]{1,64}", tool) else "a tool"


def _safely(action: Callable[..., _Given], *details: Any) -> Optional[_Given]:
    """A fault of ours never reaches the agent."""
    try:
        return action(*details)
    except Exception as fault:
        _log_fault(fault)
        return None


_logged_faults: Set[str] = set()


def _log_fault(fault: Exception) -> None:
    """Says where, and not what: the words of a fault may hold arguments and results."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_next.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    place = f"{type(fault).__name__} in line {trace.tb_lineno if trace else 0}"
    if place not in _logged_faults and len(_logged_faults) < 16:
        _logged_faults.add(place)
        _log.warning("doomloop: an internal error of doomloop (%s). The agent goes on without a guard here.", place)


_threads: Optional[concurrent.futures.ThreadPoolExecutor] = None


async def _in_thread(action: Callable[..., _Given], *details: Any) -> _Given:
    """Runs what may wait for the service in a thread of our own: the event loop's may all be busy with the agent's tools.

    Without asyncio, it runs here: the wait is short.
    """
    global _threads
    try:
        loop = asyncio.get_running_loop()
        _threads = _threads or concurrent.futures.ThreadPoolExecutor(16, "doomloop")
        return await loop.run_in_executor(_threads, functools.partial(action, *details))
    except RuntimeError:  # Another event loop, or one that takes no more work. What runs here raises nothing itself.
        return action(*details)


_START_MS = time.time() * 1_000 - time.monotonic() * 1_000


def _now_ms() -> float:
    """The time of day when the process began plus the time since then: it never runs backwards, and processes agree on it."""
    return _START_MS + time.monotonic() * 1_000


def _left(until: float) -> float:
    return max(until - time.monotonic(), 0.0)


# The service: where it is, and whether it answers. All guards of a process share it.


class _Failed(Exception):
    """The service does not do its work. It may later."""

    def __init__(self, reason: str, retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


@dataclass(frozen=True)
class _Address:
    host: str
    port: int
    is_tls: bool
    prefix: str
    token: str


class _Service:
    """Asks a service and remembers whether it answers. After a failure it pauses for a while, so that agents do not wait for nothing."""

    FIRST_REST = 0.5
    LONGEST_REST = 30.0
    LONGEST_REST_OF_CHILD = 600.0
    """A program that does not start takes more time than an address that does not answer."""
    LONGEST_START = 30.0
    PATIENCE = 2.0
    """While the service starts, events wait for it this long at most. After that they are only kept."""

    def __init__(self, url: str, token: Optional[str]) -> None:
        self._find = (lambda: _given_address(url, token)) if url else _start_child
        self._starts_child = not url
        self._name = f"the service at {_printable(url)}" if url else "the service"
        self._address: Optional[_Address] = None
        self._child: Optional[_Child] = None
        self._begun_at = 0.0
        self._is_finding = False
        self._rest = 0.0
        self._resumes_at = 0.0
        self._has_failed = False
        self._idle: List[_Connection] = []
        self.renew_locks()

    def renew_locks(self) -> None:
        self._lock = threading.Lock()
        self._found = threading.Event()
        if self._address is not None:
            self._found.set()

    def after_fork(self) -> None:
        """A process that was forked shares no connection and no child with the one that it came from, only the address."""
        for connection in self._idle:
            connection.close()
        self._idle = []
        self._is_finding = False
        if self._child is not None:
            self._child.is_ours = False
        self.renew_locks()

    def is_resting(self) -> bool:
        return time.monotonic() < self._resumes_at

    def is_ready(self, until: float) -> bool:
        """Whether the service can be asked. Waits for it while it starts, but not longer than until then."""
        self.begin()
        # What has failed once is tried again in the background, without making anyone wait.
        if self._found.is_set() or self._has_failed:
            return self._found.is_set()
        wait = min(until, self._begun_at + self.PATIENCE) - time.monotonic()
        return self._found.wait(max(wait, 0.0)) and self._address is not None

    def wait(self, path: str, timeout: float) -> bool:
        """Waits until the service answers a question about a run, which it does only with the right token."""
        until = time.monotonic() + timeout
        fault: Optional[_Failed] = None
        while not self.is_resting() and time.monotonic() < until:
            self.begin()
            if not self._found.wait(min(0.05, _left(until))):
                continue
            try:
                self.ask("GET", path, None, min(until, time.monotonic() + self.PATIENCE))
                return True
            except _Failed as one:
                # The first reason: near the end, there is too little time for an answer.
                fault = fault or one
                time.sleep(min(0.05, _left(until)))
        if fault is not None:
            self.fail(fault)
        return False

    def begin(self) -> None:
        """Finds the service in the background, if it is not found yet: names are looked up, programs are started."""
        with self._lock:
            if self._address is not None and self._child is not None and not self._child.is_alive():
                self._forget_address()
            if self._is_finding or self._address is not None:
                return
            self._is_finding = True
            self._begun_at = time.monotonic()
        threading.Thread(target=self._find_address, name="doomloop", daemon=True).start()

    def _find_address(self) -> None:
        child: Optional[_Child] = None
        try:
            self._address, child = self._find()
            self._child = child
            self._found.set()
        except _Failed as fault:
            self.fail(fault)
        except Exception as fault:
            self.fail(_Failed(_fault_text(fault)))
        finally:
            self._is_finding = False
        if child is not None:
            child.drain()

    def ask(self, method: str, path: str, body: Optional[bytes], until: float) -> Tuple[int, bytes]:
        """One exchange. Raises `_Failed` unless the service did its work or says that the request is wrong."""
        address = self._address
        if address is None:
            raise _Failed("it is not there")
        status, retry_after, answer = self._exchange(address, method, path, body, until)
        if status in (200, 204, 400, 404, 413, 415, 422):
            self._rest = 0.0
            if self._has_failed:
                self._has_failed = False
                _log.info("doomloop: %s answers again", self._name)
            return status, answer
        if status == 401:
            self._forget_address()
        raise _Failed(f"it answers {_problem_in(status, answer)}", retry_after)

    def _exchange(
        self, address: _Address, method: str, path: str, body: Optional[bytes], until: float
    ) -> Tuple[int, float, bytes]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            try:
                return self._use(connection, address, method, path, body, until)
            except (ConnectionError, http.client.HTTPException):
                # Servers close connections that were idle. Events have numbers, so sending them again does no harm.
                with self._lock:
                    idle, self._idle = self._idle, []
                for one in idle:
                    one.close()
            except (OSError, ValueError) as fault:
                raise _Failed(_reason_of(fault)) from None
        try:
            return self._use(_Connection(address, until), address, method, path, body, until)
        except (OSError, ValueError, http.client.HTTPException) as fault:
            if not isinstance(fault, socket.timeout):
                self._look_again()
            raise _Failed(_reason_of(fault)) from None

    def _use(
        self, connection: _Connection, address: _Address, method: str, path: str, body: Optional[bytes], until: float
    ) -> Tuple[int, float, bytes]:
        try:
            answer, is_kept = connection.exchange(address, method, path, body, until)
        except BaseException:
            connection.close()
            raise
        with self._lock:
            is_kept = is_kept and len(self._idle) < 8
            if is_kept:
                self._idle.append(connection)
        if not is_kept:
            connection.close()
        return answer

    def _look_again(self) -> None:
        """A name may lead elsewhere by now, a file may have another token, and the process that had the service may be gone."""
        if self._child is None or not self._child.is_ours:
            self._child = None
            self._forget_address()

    def _forget_address(self) -> None:
        self._address = None
        self._found.clear()

    def fail(self, fault: _Failed) -> None:
        longest = self.LONGEST_REST_OF_CHILD if self._starts_child and self._address is None else self.LONGEST_REST
        self._rest = min(max(self._rest * 2, self.FIRST_REST), longest)
        self._resumes_at = time.monotonic() + max(self._rest, min(fault.retry_after, self.LONGEST_REST))
        self._has_failed = True
        if self._name in _told_of:
            return
        _told_of.add(self._name)
        _log.warning(
            "doomloop: %s cannot be used: %s. The agent goes on without a guard. doomloop will try again later, and logs this only once.",
            self._name,
            fault,
        )

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        if self._child is not None:
            self._child.end()


_told_of: Set[str] = set()


class _Connection:
    """One HTTP connection. An exchange has one deadline, however slowly its bytes come."""

    def __init__(self, address: _Address, until: float) -> None:
        sock = _connect(address, until)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if address.is_tls:
            sock.settimeout(max(_left(until), 0.001))
            sock = _tls().wrap_socket(sock, server_hostname=address.host)
        self._wire = _Wire(sock)
        self._http = http.client.HTTPConnection(address.host, address.port)
        self._http.sock = cast(Any, self._wire)

    def exchange(
        self, address: _Address, method: str, path: str, body: Optional[bytes], until: float
    ) -> Tuple[Tuple[int, float, bytes], bool]:
        self._wire.until = until
        headers = {"Authorization": "Bearer " + address.token}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._http.request(method, address.prefix + path, body, headers)
        response = self._http.getresponse()
        answer = response.read(_MAX_ANSWER + 1)
        if len(answer) > _MAX_ANSWER:
            raise ValueError("an answer that is too long")
        retry_after = response.headers.get("Retry-After", "")
        seconds = float(retry_after) if retry_after.isdigit() and len(retry_after) < 6 else 0.0
        return (response.status, seconds, answer), response.isclosed() and not response.will_close

    def close(self) -> None:
        self._http.sock = None
        self._wire.sock.close()


class _Wire:
    """A socket as http.client uses it."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.until = 0.0

    def limit(self) -> None:
        left = _left(self.until)
        if left <= 0:
            raise socket.timeout("timed out")
        self.sock.settimeout(left)

    def sendall(self, data: bytes) -> None:
        self.limit()
        self.sock.sendall(data)

    def makefile(self, *_: object) -> io.BufferedReader:
        return io.BufferedReader(_Incoming(self))

    def close(self) -> None:
        """http.client closes its socket before it reads the last answer. The connection closes it for real."""


class _Incoming(io.RawIOBase):
    def __init__(self, wire: _Wire) -> None:
        super().__init__()
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._wire.limit()
        return self._wire.sock.recv_into(buffer)


@functools.lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _connect(address: _Address, until: float) -> socket.socket:
    """Connects to the first address that answers. The name was looked up before, so this does not wait for a name server."""
    fault: Optional[OSError] = None
    for host in _looked_up.get(address.host, [address.host]):
        left = _left(until)
        if left <= 0:
            break
        try:
            return socket.create_connection((host, address.port), timeout=left)
        except OSError as one:
            fault = one
    raise fault or socket.timeout("timed out")


_looked_up: Dict[str, List[str]] = {}


def _look_up(host: str, port: int) -> None:
    """Name servers can take long. So this runs in the background, before anything waits for it."""
    try:
        ipaddress.ip_address(host)
        return
    except ValueError:
        pass
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as fault:
        raise _Failed(f"the name {host} is not known: {_reason_of(fault)}") from None
    _looked_up[host] = list(dict.fromkeys(str(one[4][0]) for one in found))


def _problem_in(status: int, answer: bytes) -> str:
    """The status, with what problem details (RFC 9457) say."""
    try:
        detail = json.loads(answer)["detail"]
        return f"{status}: {_printable(detail)}" if isinstance(detail, str) else str(status)
    except (ValueError, TypeError, KeyError, RecursionError):
        return str(status)


def _reason_of(fault: Exception) -> str:
    if isinstance(fault, socket.timeout):
        return "it did not answer in time"
    return _printable(f"{type(fault).__name__}: {fault}")


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)[:200]


# Where the service is: its address is given, or it is a child of this process.

_services: Dict[Tuple[str, str], _Service] = {}
_services_lock = threading.Lock()


def _service_at(url: Optional[str], token: Optional[str]) -> Optional[_Service]:
    if os.environ.get("DOOMLOOP", "").lower() == "off":
        return None
    if url is not None:
        _parsed(url)
    address = url or os.environ.get("DOOMLOOP_URL", "").strip()
    key = (address, token or "")
    with _services_lock:
        service = _services.get(key)
        if service is None:
            service = _services[key] = _Service(address, token)
    service.begin()
    return service


def _parsed(url: str) -> Tuple[str, int, bool, str]:
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        _refuse_url(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        _refuse_url(url)
    return parts.hostname, port, parts.scheme == "https", parts.path.rstrip("/")


def _refuse_url(url: str) -> NoReturn:
    raise ValueError(f"Guard: url: an address such as http://127.0.0.1:4177 is required, got {_printable(repr(url))}")


def _given_address(url: str, token: Optional[str]) -> Tuple[_Address, Optional[_Child]]:
    try:
        host, port, is_tls, prefix = _parsed(url)
    except ValueError as fault:
        raise _Failed(str(fault)) from None
    _look_up(host, port)
    found = token or os.environ.get("DOOMLOOP_TOKEN") or (_token_in_file() if _is_this_machine(host) else None)
    if not found or not found.isprintable() or not found.isascii():
        raise _Failed("it needs a token: set DOOMLOOP_TOKEN, or pass Guard(token=...)")
    return _Address(host, port, is_tls, prefix, found), None


def _is_this_machine(host: str) -> bool:
    """The token in the user's file is for services of this machine, and goes nowhere else."""
    try:
        return all(ipaddress.ip_address(one).is_loopback for one in _looked_up.get(host, [host]))
    except ValueError:
        return False


def _token_in_file() -> Optional[str]:
    try:
        with open(os.path.join(_state_folder(), "serve-token"), encoding="utf-8") as file:
            return file.read(1_024).strip()
    except (OSError, ValueError):
        return None


def _state_folder() -> str:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return os.path.join(local or os.path.expanduser("~/AppData/Local"), "doomloop", "State")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/doomloop")
    state = os.environ.get("XDG_STATE_HOME", "")
    return os.path.join(state if os.path.isabs(state) else os.path.expanduser("~/.local/state"), "doomloop")


class _Child:
    """A service that this process has started. It ends with this process."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.is_ours = True

    def is_alive(self) -> bool:
        return not self.is_ours or self._process.poll() is None

    def listening_at(self) -> str:
        """Reads what the program prints until it says where it listens."""
        assert self._process.stdout is not None
        said: List[str] = []
        while True:
            line = self._process.stdout.readline(4_096)
            if line == b"":
                raise _Failed(_why_it_ended(said))
            text = _printable(line.decode("utf-8", "replace")).strip()
            found = re.search(r"Listening on (http://[\w.:\[\]-]+)", text)
            if found:
                return found.group(1)
            said = [*said, text][-20:] if text else said

    def drain(self) -> None:
        """Reads on, so that the program never waits for us."""
        try:
            while self._process.stdout is not None and self._process.stdout.read(65_536):
                pass
        except (OSError, ValueError):
            pass

    def end(self) -> None:
        if not self.is_ours or self._process.poll() is not None:
            return
        try:
            if sys.platform == "win32":
                # A script of npm is a shell that has started Node.
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(self._process.pid)], capture_output=True, timeout=5)
            else:
                os.killpg(self._process.pid, signal.SIGTERM)
        except (OSError, subprocess.SubprocessError):
            self._process.terminate()


_NOT_INSTALLED = (
    "DOOMLOOP_URL is not set, and no program `doomloop` was found. "
    "Install Node 22.12 or later, then run `npm install --global doomloop`"
)


def _why_it_ended(said: Sequence[str]) -> str:
    """What a program said before it ended, in one line. Node's last line when it fails is its version."""
    version = re.fullmatch(r"Node\.js v(\d+)\.(\d+)\S*", said[-1] if said else "")
    if version and (int(version[1]), int(version[2])) < (22, 12):
        return f"Node 22.12 or later is required, and this is {version[0]}"
    if any(line.startswith("npm ") for line in said):
        return _NOT_INSTALLED
    errors = [line for line in said if "Error" in line]
    return f"`doomloop serve` ended at once: {[*said, *errors][-1] if said else 'it said nothing'}"


def _start_child() -> Tuple[_Address, Optional[_Child]]:
    token = secrets.token_hex(24)
    home = os.path.expanduser("~")
    process = subprocess.Popen(
        [*_command(), "serve", "--listen", "127.0.0.1:0", "--end-with-stdin"],
        # It is closed when this process ends, however that happens.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**{key: value for key, value in os.environ.items() if key != "DOOMLOOP_STORE_URL"}, "DOOMLOOP_TOKEN": token},
        # Nothing that lies in the folder that an agent works in decides what is run.
        cwd=home if os.path.isdir(home) else None,
        start_new_session=os.name == "posix",
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    child = _Child(process)
    atexit.register(child.end)
    too_late = threading.Timer(_Service.LONGEST_START, child.end)
    too_late.daemon = True
    too_late.start()
    try:
        host, port, is_tls, prefix = _parsed(child.listening_at())
    finally:
        too_late.cancel()
    return _Address(host, port, is_tls, prefix, token), child


def _command() -> Sequence[str]:
    """The program: on the PATH, in a node_modules of the program that runs, or in the cache of npx."""
    found = _on_path("doomloop")
    if found is not None:
        return [found]
    node = _on_path("node")
    for folder in _own_folders():
        main = os.path.join(folder, "node_modules", "doomloop", "dist", "cli", "main.js")
        if node is not None and os.path.isfile(main):
            return [node, main]
    npx = _on_path("npx")
    if npx is not None:
        return [npx, "--no-install", "doomloop"]
    raise _Failed(_NOT_INSTALLED)


def _on_path(program: str) -> Optional[str]:
    """On Windows, the search also finds programs in the current folder. Those are ignored."""
    found = shutil.which(program)
    is_local = found is not None and os.path.dirname(os.path.abspath(found)) == os.getcwd()
    return None if is_local and os.name == "nt" else found


def _own_folders() -> Iterable[str]:
    """The folder that Python takes the program's modules from, and those above it, unless others can write into them."""
    folder = os.path.abspath(sys.path[0] if sys.path and sys.path[0] else os.getcwd())
    while True:
        try:
            if os.name == "posix" and os.stat(folder).st_mode & stat.S_IWOTH:
                return
        except OSError:
            return
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _close_services() -> None:
    for service in list(_services.values()):
        _safely(service.close)


def _after_fork() -> None:
    global _services_lock, _threads
    _services_lock = threading.Lock()
    _threads = None
    for service in _services.values():
        service.after_fork()
    for guard in list(_guards):
        guard._renew_locks()


atexit.register(_close_services)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
