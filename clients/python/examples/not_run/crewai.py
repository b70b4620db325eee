from crewai import Agent, Crew, Task
from crewai.hooks import before_llm_call
from crewai.tools import tool
from doomloop import Guard

with Guard() as guard:

    @tool("read_file")
    @guard.tool
    def read_file(path: str) -> str:
        """Reads a file."""
        return open(path).read()

    @before_llm_call
    def end_of_loop(context):
        return False if guard.stopped else None

    # CrewAI answers a known call from its cache, and no hook sees it.
    helper = Agent(role="helper", goal="answer", backstory="none", tools=[read_file], cache=False)
    task = Task(description="Why does the login fail?", expected_output="one sentence", agent=helper)
    try:
        print(Crew(agents=[helper], tasks=[task], cache=False).kickoff())
    except ValueError:
        print(guard.stopped)
