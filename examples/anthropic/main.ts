/**
 * An Anthropic SDK tool runner whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { guard, loopStop } from "doomloop/anthropic";

let requests = 0;

/** The "model" reads the same file over and over. */
async function scriptedModel(_url: unknown, init?: RequestInit): Promise<Response> {
  requests++;
  const { messages } = JSON.parse(String(init?.body)) as { messages: { content: { content?: unknown }[] }[] };
  const read = messages.at(-1)?.content.at(-1);
  if (requests > 1 && typeof read === "object") {
    console.log(`   the model reads: ${String(read.content).replaceAll("\n", "\n      ")}`);
  }
  console.log(`${requests}. the model calls read_file("src/login.ts")`);
  return Response.json({
    id: `message-${requests}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [{ type: "tool_use", id: `call-${requests}`, name: "read_file", input: { path: "src/login.ts" } }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  });
}

const readFile = betaTool({
  name: "read_file",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: () => "export const login = () => {};",
});

const client = new Anthropic({ apiKey: "none", fetch: scriptedModel });

// The one line: the runner goes through `guard`.
const runner = guard(
  client.beta.messages.toolRunner({
    model: "scripted",
    max_tokens: 1000,
    messages: [{ role: "user", content: "Fix the login bug." }],
    tools: [readFile],
    max_iterations: 30,
  }),
);
await runner;

const stop = loopStop(runner);
console.log(`\nThe run ended after ${requests} of 30 requests: ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;
