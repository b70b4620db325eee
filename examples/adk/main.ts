/**
 * A Google ADK agent whose scripted model does not listen, and a plugin of 40 lines that breaks its loop. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import {
  BaseLlm,
  type BaseLlmConnection,
  BasePlugin,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  LogLevel,
  setLogLevel,
} from "@google/adk";
import { createGuard } from "doomloop";
import { z } from "zod";

type Callback<Name extends keyof BasePlugin> = BasePlugin[Name] extends (given: infer Given) => unknown ? Given : never;

/** Guards a runner that serves one session at a time. For several, keep one guard for each `invocationContext.session.id`. */
class LoopPlugin extends BasePlugin {
  /** Why the run has ended, for people. */
  stopped: string | undefined;
  readonly #guard = createGuard();

  constructor() {
    super("doomloop");
  }

  override async onUserMessageCallback({ userMessage }: Callback<"onUserMessageCallback">) {
    const text = userMessage.parts?.map((part) => part.text ?? "").join("");
    this.#guard.observe({ type: "user", ...(text && { text }) });
    this.stopped = undefined;
    return undefined;
  }

  /** Once the run has ended, the model is not asked again. */
  override async beforeModelCallback() {
    if (this.stopped !== undefined) return { content: { role: "model", parts: [{ text: this.stopped }] } };
    this.#guard.observe({ type: "round" });
    return undefined;
  }

  override async beforeToolCallback({ tool, toolArgs, toolContext }: Callback<"beforeToolCallback">) {
    const id = toolContext.functionCallId ?? "";
    const decision = this.#guard.observe({ type: "call", id, tool: tool.name, args: toolArgs, at: Date.now() });
    if (decision.action !== "block" && decision.action !== "stop") return undefined;
    this.#guard.observe({ type: "result", id, synthetic: true });
    if (decision.action === "stop") this.stopped = decision.explanation;
    return { error: decision.message };
  }

  override async afterToolCallback({ toolContext, result }: Callback<"afterToolCallback">) {
    const id = toolContext.functionCallId ?? "";
    const decision = this.#guard.observe({ type: "result", id, output: result, at: Date.now() });
    if (decision.action === "stop") this.stopped = decision.explanation;
    return decision.message === undefined ? undefined : { ...result, doomloop: decision.message };
  }
}

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

const loops = new LoopPlugin();
const runner = new InMemoryRunner({ agent, plugins: [loops] });

const session = await runner.sessionService.createSession({ appName: runner.appName, userId: "user" });
const newMessage = { role: "user", parts: [{ text: "Fix the login bug." }] };
for await (const _event of runner.runAsync({ userId: "user", sessionId: session.id, newMessage }));
console.log(`\nThe run ended after ${requests} of 30 requests. ${loops.stopped}`);
if (loops.stopped === undefined) process.exitCode = 1;
