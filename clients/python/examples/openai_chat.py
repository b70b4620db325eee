"""A loop over Chat Completions, with the package openai."""
import json

from doomloop import Guard
from openai import OpenAI


def read_file(path: str) -> str:
    return f"# {path}\ndef login(user):\n    return redirect(user.home)"


TOOL = {"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}
client, messages = OpenAI(), [{"role": "user", "content": "Why does the login fail?"}]
with Guard() as guard:
    guarded = {"read_file": guard.tool(read_file)}
    while guard.stopped is None:
        guard.round()
        tools = [{"type": "function", "function": TOOL}]
        answer = client.chat.completions.create(model="gpt-5", messages=messages, tools=tools).choices[0].message
        messages.append(answer)
        if not answer.tool_calls:
            break
        for call in answer.tool_calls:
            content = guarded[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
print(guard.stopped or answer.content)
