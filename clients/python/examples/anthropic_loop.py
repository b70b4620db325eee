"""A loop over Messages, with the package anthropic. Here calls and results are reported one by one."""
from anthropic import Anthropic
from doomloop import Guard


def read_file(path: str) -> str:
    return f"# {path}\ndef login(user):\n    return redirect(user.home)"


TOOL = {"name": "read_file", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}
client, messages = Anthropic(), [{"role": "user", "content": "Why does the login fail?"}]
with Guard() as guard:
    while guard.stopped is None:
        guard.round()
        answer = client.messages.create(model="claude-sonnet-4-5", max_tokens=1000, messages=messages, tools=[TOOL])
        messages.append({"role": "assistant", "content": answer.content})
        results = []
        for call in [block for block in answer.content if block.type == "tool_use"]:
            before = guard.call(call.name, call.input, id=call.id)
            content = before.message if before.refused else read_file(**call.input)
            if not before.refused:
                content = guard.result(content, id=call.id).append_to(content)
            results.append({"type": "tool_result", "tool_use_id": call.id, "content": content})
        if not results:
            break
        messages.append({"role": "user", "content": results})
print(guard.stopped or answer.content[0].text)
