from agents import Agent, Runner, ToolsToFinalOutputResult, function_tool
from doomloop import Guard

with Guard() as guard:

    @function_tool
    @guard.tool
    def read_file(path: str) -> str:
        """Reads a file."""
        return open(path).read()

    def end_of_loop(context, results):
        stop = guard.stopped
        return ToolsToFinalOutputResult(is_final_output=stop is not None, final_output=str(stop))

    agent = Agent(name="helper", tools=[read_file], tool_use_behavior=end_of_loop)
    print(Runner.run_sync(agent, "Why does the login fail?").final_output)
