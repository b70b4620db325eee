"""A loop over Responses, with the package openai."""
import json

from doomloop import Guard
from openai import OpenAI


def read_file(path: str) -> str:
    return f"# {path}\ndef login(user):\n    return redirect(user.home)"


PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}
client, items = OpenAI(), [{"role": "user", "content": "Why does the login fail?"}]
with Guard() as guard:
    guarded = {"read_file": guard.tool(read_file)}
    while guard.stopped is None:
        guard.round()
        tools = [{"type": "function", "name": "read_file", "parameters": PARAMETERS}]
        response = client.responses.create(model="gpt-5", input=items, tools=tools)
        items += response.output
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            break
        for call in calls:
            output = guarded[call.name](**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})
print(guard.stopped or response.output_text)
