"""Tools for the package llm."""
import sys

import llm
from doomloop import Guard


def read_file(path: str) -> str:
    """Reads a file."""
    return f"# {path}\ndef login(user):\n    return redirect(user.home)"


model = llm.get_model(sys.argv[1] if len(sys.argv) > 1 else None)
with Guard() as guard:
    conversation = model.conversation(tools=[guard.tool(read_file)], chain_limit=100)
    for response in conversation.chain("Why does the login fail?").responses():
        if guard.stopped:
            print(guard.stopped)
            break
        guard.round()
        print(response.text())
