"""A model behind HTTP that asks for the same file again and again, in the wire formats of OpenAI and Anthropic."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List

CALL = {"path": "login.py"}


class Upstream:
    """Asks for the file `calls` times, then says that it is done. With `varies`, each file is another one."""

    def __init__(self, calls: int = 60, varies: bool = False) -> None:
        self.calls = calls
        self.varies = varies
        self.requests: List[Dict[str, Any]] = []
        owner = self

        class Handler(_Handler):
            upstream = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def arguments(self) -> Dict[str, str]:
        return {"path": f"login{len(self.requests)}.py"} if self.varies else CALL

    def answer(self, path: str) -> Dict[str, Any]:
        number, is_done = len(self.requests), len(self.requests) > self.calls
        if path.endswith("/chat/completions"):
            call = {"id": f"call_{number}", "type": "function", "function": {"name": "read_file", "arguments": json.dumps(self.arguments())}}
            message = {"role": "assistant", "content": "done" if is_done else None, **({} if is_done else {"tool_calls": [call]})}
            choice = {"index": 0, "message": message, "finish_reason": "stop" if is_done else "tool_calls"}
            return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        if path.endswith("/responses"):
            text = {"type": "output_text", "text": "done", "annotations": []}
            message = {"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": [text]}
            call = {"type": "function_call", "id": f"f{number}", "call_id": f"call_{number}", "name": "read_file", "status": "completed"}
            output = [message] if is_done else [{**call, "arguments": json.dumps(self.arguments())}]
            about = {"id": f"r{number}", "object": "response", "created_at": 1, "model": "m", "status": "completed", "tools": []}
            return {**about, "output": output, "parallel_tool_calls": True, "tool_choice": "auto"}
        content = {"type": "text", "text": "done"} if is_done else {"type": "tool_use", "id": f"t{number}", "name": "read_file", "input": self.arguments()}
        about = {"id": f"m{number}", "type": "message", "role": "assistant", "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}}
        return {**about, "content": [content], "stop_reason": "end_turn" if is_done else "tool_use", "stop_sequence": None}


def as_stream(answer: Dict[str, Any]) -> str:
    """An answer of Chat Completions in one piece of a stream."""
    choice = answer["choices"][0]
    message = choice.pop("message")
    calls = [{**call, "index": index} for index, call in enumerate(message.pop("tool_calls", []))]
    delta = {**message, **({"tool_calls": calls} if calls else {})}
    chunk = {**answer, "object": "chat.completion.chunk", "choices": [{**choice, "delta": delta}]}
    return f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    upstream: Upstream

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.upstream.requests.append(body)
        answer = self.upstream.answer(self.path.partition("?")[0])
        text = (as_stream(answer) if body.get("stream") else json.dumps(answer)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
