/**
 * A hand-written loop around an MCP client, whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { guard, loopStop } from "doomloop/mcp";
import { z } from "zod";

const server = new McpServer({ name: "code", version: "1.0.0" });
server.registerTool(
  "read_file",
  {
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async () => ({ content: [{ type: "text", text: "export const login = () => {};" }] }),
);
const client = new Client({ name: "agent", version: "1.0.0" });
const [ours, theirs] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(theirs), client.connect(ours)]);

// The one line.
const guarded = guard(client);

await guarded.listTools();
let requests = 0;
let isOver = false;
while (!isOver && requests < 30) {
  requests++;
  console.log(`${requests}. the model calls read_file("src/login.ts")`);
  const result = await guarded.callTool({ name: "read_file", arguments: { path: "src/login.ts" } });
  for (const piece of result.content) {
    if (piece.type === "text") console.log(`   the model reads: ${piece.text.replaceAll("\n", "\n      ")}`);
  }
  // MCP cannot end a run, so our loop checks whether it is over.
  const stop = loopStop(result);
  if (stop) console.log(`   the program reads: ${stop.explanation}`);
  isOver = stop !== undefined;
}
await client.close();

console.log(`\nThe loop ended after ${requests} of 30 requests.`);
if (!isOver) process.exitCode = 1;
