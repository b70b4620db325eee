"""An agent that reads one file again and again. Put your model in the place of `ask_model`."""
from doomloop import Guard


def ask_model():
    return "read_file", {"path": "app.py"}


def read_file(path: str) -> str:
    return "app = App()"


with Guard() as guard:
    guard.ready()  # a real model takes longer than the service needs to start
    tools = {"read_file": guard.tool(read_file)}
    for turn in range(1, 31):
        guard.round()  # an answer of the model begins
        name, args = ask_model()
        content = tools[name](**args)
        print(f"--- {turn}\n{content}")  # your loop sends this back to the model
        if guard.stopped:
            print(f"\n{guard.stopped.status}: {guard.stopped.explanation}")
            break
