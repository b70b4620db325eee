import Anthropic from "@anthropic-ai/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { guard, loopStop } from "doomloop/mcp";

const mcp = guard(new Client({ name: "reader", version: "1.0.0" }));
await mcp.connect(new StdioClientTransport({ command: "npx", args: ["@modelcontextprotocol/server-filesystem", "."] }));
const tools = (await mcp.listTools()).tools.map(({ name, inputSchema }) => ({ name, input_schema: inputSchema }));
console.log(await ask([{ role: "user", content: "Which packages does package.json list?" }]));
await mcp.close();

async function ask(messages: Anthropic.MessageParam[]): Promise<unknown> {
  const request = { model: "claude-sonnet-5", max_tokens: 4096, messages, tools };
  const { content } = await new Anthropic().messages.create(request);
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const block of content) {
    if (block.type !== "tool_use") continue;
    const result = await mcp.callTool({ name: block.name, arguments: block.input as Record<string, unknown> });
    const stop = loopStop(result);
    if (stop) return stop.explanation; // MCP can't end a run: your loop does
    results.push({ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(result.content) });
  }
  if (results.length === 0) return content;
  return ask([...messages, { role: "assistant", content }, { role: "user", content: results }]);
}
