"""A service that is small enough to break on purpose. It nudges at the third equal result, blocks the fifth call, stops at the seventh."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Optional, Set

TOKEN = "a-token-for-tests-only"


class StandIn:
    """A server on a free port. `fault` says how it fails from now on."""

    def __init__(self, port: int = 0, token: str = TOKEN) -> None:
        self.token = token
        self.fault: Optional[str] = None
        self.requests: List[Dict[str, Any]] = []
        self.events: List[Dict[str, Any]] = []
        self.asks = False
        """Whether each result raises a question."""
        self.asked = 0
        self.replicas: List[str] = []
        """Who answers, one request after the other."""
        self.connections = 0
        self.forgotten: List[str] = []
        self.judged: Dict[str, Dict[int, Dict[str, Any]]] = {}
        self.calls: Dict[str, Counter[str]] = {}
        self.sockets: Set[socket.socket] = set()
        self.lock = threading.Lock()
        stand_in = self

        class Handler(_Handler):
            owner = stand_in

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: object) -> None:
                pass

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Ends the server as a kill would: listeners and connections are gone at once."""
        self._server.shutdown()
        self._server.server_close()
        self.hang_up()

    def hang_up(self) -> None:
        for one in list(self.sockets):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def decide(self, run: str, event: Dict[str, Any]) -> Dict[str, Any]:
        judged, calls = self.judged.setdefault(run, {}), self.calls.setdefault(run, Counter())
        if event["seq"] in judged:
            return judged[event["seq"]]
        self.events.append(event)
        decision: Dict[str, Any] = {"action": "continue"}
        if event["type"] in ("user", "state"):
            calls.clear()
        if event["type"] == "call":
            key = json.dumps([event["tool"], event.get("args")], sort_keys=True)
            calls[key] += 1
            calls["latest"] = calls[key]
            if calls[key] >= 7:
                decision = {"action": "stop", "status": "LOOP_DETECTED", "message": "[doomloop] stopped", "explanation": "Stopped."}
            elif calls[key] >= 5:
                decision = {"action": "block", "message": "[doomloop] not run"}
        elif event["type"] == "result" and calls["latest"] in (3, 4) and not event.get("synthetic"):
            decision = {"action": "nudge", "message": f"[doomloop] {calls['latest']} times"}
        if decision["action"] != "continue":
            decision["finding"] = {"kind": "repeated-call", "count": calls["latest"], "tools": ["search"], "loop": "l1"}
        if event.get("untold"):
            decision = {"action": "continue"}
        if self.asks and event["type"] == "result":
            self.asked += 1
            request = {"system": "Is it stuck?", "message": f"question {self.asked}", "maxTokens": 800}
            decision["question"] = {"id": self.asked, "why": "hunch", "since": 0, "latest": 0, "until": 9, "request": request}
        judged[event["seq"]] = decision
        return decision


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: StandIn

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.owner.connections += 1
        self.owner.sockets.add(self.connection)

    def finish(self) -> None:
        self.owner.sockets.discard(self.connection)
        super().finish()

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        owner = self.owner
        if self.headers["authorization"] != f"Bearer {self.owner.token}":
            return self.answer(401, {"detail": "a token is required"})
        with owner.lock:
            owner.requests.append(body)
            fault = owner.fault
            run = self.path.split("/")[3]
            if fault == "refuse once":
                fault, owner.fault = "refuse", None
            # A service that fails late has heard the events.
            if fault == "refuse questions":
                fault = "refuse the setting" if "questions" in body.get("options", {}) else None
            is_refused = fault in ("refuse", "refuse the setting")
            decisions = [] if "events" not in body or is_refused else [owner.decide(run, one) for one in body["events"]]
        if fault == "stall":
            time.sleep(2)
        elif fault == "reset":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif fault == "garbage":
            self.answer(200, {"decisions": "no list"})
        elif fault == "noise":
            self.wfile.write(b"\x00\xff" * 4096)
            self.close_connection = True
        elif fault == "short":
            self.answer(200, {"decisions": []})
        elif fault == "deep":
            self.answer_text(200, b"[" * 200_000)
        elif fault == "drip":
            self.drip()
        elif fault == "500":
            self.answer(500, {"detail": "broken"})
        elif fault == "503":
            self.answer(503, {"detail": "draining"}, {"Retry-After": "1"})
        elif fault == "refuse the setting":
            self.answer(400, {"detail": "options: questions is not for clients to set"})
        elif fault == "refuse":
            self.answer(400, {"detail": "no such policy\x1b[2J"})
        elif fault == "newer":
            self.answer(200, {"decisions": [{"action": "pause", "message": "[doomloop] wait", "until": 7} for _ in decisions]})
        else:
            by = {"Doomloop-Replica": owner.replicas.pop(0)} if owner.replicas else None
            self.answer(200, {"decisions": decisions} if "events" in body else {"loop": "l1"}, by)

    def do_GET(self) -> None:
        if self.owner.fault == "not doomloop":
            return self.answer(404, {"detail": "Not Found"})
        is_known = self.headers["authorization"] == f"Bearer {self.owner.token}"
        self.answer(404, {"detail": "no such run"}) if is_known else self.answer(401, {"detail": "a token is required"})

    def do_DELETE(self) -> None:
        self.owner.forgotten.append(self.path.split("/")[3])
        self.answer_text(204, b"")

    def answer(self, status: int, value: Any, headers: Optional[Dict[str, str]] = None) -> None:
        self.answer_text(status, json.dumps(value).encode(), headers)

    def answer_text(self, status: int, text: bytes, headers: Optional[Dict[str, str]] = None) -> None:
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def drip(self) -> None:
        """One byte at a time: each comes soon, the whole never does."""
        try:
            for byte in b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 100:
                self.wfile.write(bytes([byte]))
                time.sleep(0.02)
        except OSError:
            pass
