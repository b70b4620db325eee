import asyncio

from browser_use import ActionResult, Agent, ChatOpenAI, Tools
from doomloop import Guard


class GuardedTools(Tools):
    async def act(self, action, *args, **kwargs):
        name, params = next(iter(action.model_dump(exclude_unset=True).items()))
        before = await guard.acall(name, params)
        if before.refused:
            return ActionResult(error=before.message)
        result = await super().act(action, *args, **kwargs)
        said = result.error or result.long_term_memory or result.extracted_content or ""
        after = await guard.aresult(said, id=before.id, error=result.error is not None)
        if after.message:
            setattr(result, "error" if result.error else "long_term_memory", after.append_to(said))
        return result


async def is_stopped():
    return guard.stopped is not None


with Guard() as guard:
    tools = GuardedTools()
    agent = Agent("Find the price.", ChatOpenAI("gpt-5"), tools=tools, register_should_stop_callback=is_stopped)
    asyncio.run(agent.run())
print(guard.stopped or "done")
