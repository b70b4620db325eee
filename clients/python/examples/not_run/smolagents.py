from doomloop import Guard
from smolagents import AgentError, InferenceClientModel, ToolCallingAgent, tool


def read_file(path: str) -> str:
    """Reads a file.

    Args:
        path: Where it is.
    """
    return open(path).read()


def end_of_loop(step, agent):
    guard.round()
    if guard.stopped:
        agent.interrupt()


with Guard() as guard:
    agent = ToolCallingAgent([tool(guard.tool(read_file))], InferenceClientModel(), step_callbacks=[end_of_loop])
    try:
        print(agent.run("Why does the login fail?"))
    except AgentError as error:
        print(guard.stopped or error)
