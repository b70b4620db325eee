"""A server of the package mcp, for the recipe."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("files")


@server.tool()
def read_file(path: str) -> str:
    return f"# {path}\ndef login(user):\n    return redirect(user.home)"


server.run()
