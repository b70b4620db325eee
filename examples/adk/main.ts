/**
 * A Google ADK agent whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import {
  BaseLlm,
  type BaseLlmConnection,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  LogLevel,
  setLogLevel,
} from "@google/adk";
import { guard, loopStop } from "doomloop/adk";
import { z } from "zod";

setLogLevel(LogLevel.ERROR);
let requests = 0;

/** The "model" reads the same file over and over. */
class ScriptedLlm extends BaseLlm {
  override async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    requests++;
    const read = contents.at(-1)?.parts?.at(-1)?.functionResponse?.response;
    for (const [key, value] of Object.entries(read ?? {})) {
      console.log(`   the model reads ${key}: ${String(value).replaceAll("\n", "\n      ")}`);
    }
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    const functionCall = { id: `call-${requests}`, name: "read_file", args: { path: "src/login.ts" } };
    yield { content: { role: "model", parts: requests > 30 ? [{ text: "I give up." }] : [{ functionCall }] } };
  }

  override connect(): Promise<BaseLlmConnection> {
    throw new Error("The scripted model has no live connection.");
  }
}

const readFile = new FunctionTool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: async () => "export const login = () => {};",
});
const agent = new LlmAgent({ name: "coder", model: new ScriptedLlm({ model: "scripted" }), tools: [readFile] });

// The one line.
const runner = new InMemoryRunner(guard({ agent }));

const session = await runner.sessionService.createSession({ appName: runner.appName, userId: "user" });
const newMessage = { role: "user", parts: [{ text: "Fix the login bug." }] };
let isStopped = false;
for await (const event of runner.runAsync({ userId: "user", sessionId: session.id, newMessage })) {
  const stop = loopStop(event);
  if (stop === undefined) continue;
  isStopped = true;
  console.log(`\nThe run ended after ${requests} of 30 requests. ${stop.explanation}`);
}
if (!isStopped) process.exitCode = 1;
