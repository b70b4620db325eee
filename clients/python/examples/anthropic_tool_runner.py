"""The tool runner of the package anthropic."""
from anthropic import Anthropic, beta_tool
from doomloop import Guard

with Guard() as guard:

    @beta_tool
    @guard.tool
    def read_file(path: str) -> str:
        """Reads a file.

        Args:
            path: Where it is.
        """
        return f"# {path}\ndef login(user):\n    return redirect(user.home)"

    messages = [{"role": "user", "content": "Why does the login fail?"}]
    runner = Anthropic().beta.messages.tool_runner(
        model="claude-sonnet-4-5", max_tokens=1000, messages=messages, tools=[read_file]
    )
    for answer in runner:
        guard.round()
        runner.generate_tool_call_response()  # calls the tools now, so that a stop ends the run before the next request
        if guard.stopped:
            break
print(guard.stopped or answer.content[0].text)
