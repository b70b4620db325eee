from doomloop import Guard
from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

with Guard() as guard:

    @tool
    @guard.tool
    def read_file(path: str) -> str:
        """Reads a file."""
        return open(path).read()

    @before_model(can_jump_to=["end"])
    def end_of_loop(state, runtime):
        guard.round()
        if guard.stopped:
            return {"jump_to": "end", "messages": [AIMessage(str(guard.stopped))]}

    agent = create_agent("openai:gpt-5", tools=[read_file], middleware=[end_of_loop])
    agent.invoke({"messages": [{"role": "user", "content": "Why does the login fail?"}]})
