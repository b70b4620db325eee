/**
 * A Claude Agent SDK agent whose scripted model does not listen, and how its loop is broken. Runs offline: the model is a
 * server in this file.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { guard, type LoopStop, loopStop } from "doomloop/claude-agent-sdk";

type Piece = string | { content?: string; text?: string };
type Message = { role: string; content: Piece | Piece[] };

let requests = 0;
let stopped: LoopStop | undefined;

/** The "model" runs the same command over and over. */
const model = createServer(async (request, response) => {
  const { tools, messages = [] } = JSON.parse((await text(request)) || "{}") as {
    tools?: object[];
    messages?: Message[];
  };
  if (!tools?.length) return void response.writeHead(404).end("{}");
  requests++;
  const sinceCall = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const read = requests > 1 ? sinceCall.flatMap(({ content }) => content) : [];
  for (const piece of read) console.log(`   the model reads: ${textOf(piece).replaceAll("\n", "\n      ")}`);
  console.log(`${requests}. the model calls Bash("ls login-bug")`);
  const input = JSON.stringify({ command: "ls login-bug", description: "Looks for the bug" });
  const call = { type: "tool_use", id: `call-${requests}`, name: "Bash", input: {} };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: `message-${requests}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    usage,
  };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: call },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: input } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
});
await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));

// A separate home folder, so that your own settings and keys are not used.
const home = mkdtempSync(join(tmpdir(), "doomloop-example-"));
const run = query({
  prompt: "Fix the login bug.",
  // The one line.
  options: guard({
    allowedTools: ["Bash"],
    maxTurns: 30,
    cwd: home,
    settingSources: [],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}`,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  }),
});
for await (const message of run) {
  if (message.type !== "result") continue;
  console.log(`\nThe SDK says: ${message.subtype}, ${message.terminal_reason}`);
  stopped = loopStop(message);
}

console.log(`The run ended after ${requests} of 30 requests: ${stopped?.explanation}`);
if (stopped === undefined) process.exitCode = 1;
model.close();
rmSync(home, { recursive: true, force: true, maxRetries: 5 });

function textOf(piece: Piece): string {
  return typeof piece === "string" ? piece : (piece.content ?? piece.text ?? "");
}
