from doomloop import Guard, LoopStop
from pydantic_ai import Agent


def read_file(path: str) -> str:
    """Reads a file."""
    return open(path).read()


with Guard(raise_on_stop=True) as guard:
    agent = Agent("openai:gpt-5", tools=[guard.tool(read_file)])
    try:
        print(agent.run_sync("Why does the login fail?").output)
    except LoopStop as stop:
        print(stop.explanation)
