"""A client of the package mcp. Its calls go through `call_tool` below."""
import asyncio
import sys

from doomloop import Guard
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent


async def call_tool(session: ClientSession, guard: Guard, name: str, arguments: dict) -> CallToolResult:
    before = await guard.acall(name, arguments)
    if before.refused:
        return CallToolResult(content=[TextContent(type="text", text=before.message)], isError=True)
    result = await session.call_tool(name, arguments)
    after = await guard.aresult(result, id=before.id, error=result.isError)
    if after.message:
        result.content.append(TextContent(type="text", text=after.message))
    return result


async def main(server: StdioServerParameters) -> None:
    async with stdio_client(server) as streams, ClientSession(*streams) as session, Guard() as guard:
        await session.initialize()
        while guard.stopped is None:  # your model says which tool to call
            result = await call_tool(session, guard, "read_file", {"path": "login.py"})
        print(result.content[-1].text)


asyncio.run(main(StdioServerParameters(command=sys.executable, args=sys.argv[1:])))
