/**
 * A Strands agent whose scripted model does not listen, and a plugin of 40 lines that breaks its loop. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import * as strands from "@strands-agents/sdk";
import { createGuard } from "doomloop";
import { z } from "zod";

/** Guards one agent. */
class LoopPlugin implements strands.Plugin {
  readonly name = "doomloop";
  /** Why the run has ended, for people. */
  stopped: string | undefined;
  readonly #guard = createGuard();

  initAgent(agent: strands.LocalAgent): void {
    agent.addHook(strands.MessageAddedEvent, ({ message }) => {
      const texts = message.content.flatMap((block) => (block.type === "textBlock" ? block.text : []));
      if (message.role !== "user" || texts.length === 0) return;
      this.stopped = undefined;
      this.#guard.observe({ type: "user", text: texts.join("\n") });
    });
    agent.addHook(strands.BeforeModelCallEvent, () => void this.#guard.observe({ type: "round" }));
    agent.addHook(strands.BeforeToolCallEvent, (event) => {
      const { toolUseId: id, name: tool, input: args } = event.toolUse;
      const decision = this.#guard.observe({ type: "call", id, tool, args, at: Date.now() });
      if (decision.action !== "block" && decision.action !== "stop") return;
      this.#guard.observe({ type: "result", id, synthetic: true });
      if (decision.action === "stop") this.stopped = decision.explanation;
      event.cancel = decision.message ?? true;
    });
    agent.addHook(strands.AfterToolCallEvent, (event) => {
      const { toolUse, result } = event;
      const output = result.content.map((block) => block.toJSON());
      const error = result.status === "error";
      const decision = this.#guard.observe({ type: "result", id: toolUse.toolUseId, output, error, at: Date.now() });
      if (decision.action === "stop") this.stopped = decision.explanation;
      if (decision.message === undefined) return;
      const content = [...result.content, new strands.TextBlock(decision.message)];
      event.result = new strands.ToolResultBlock({ ...result, content });
    });
    agent.addHook(strands.AfterToolsEvent, (event) => {
      if (this.stopped !== undefined) event.endTurn = this.stopped;
    });
  }
}

let requests = 0;

/** The "model" reads the same file over and over. */
class ScriptedModel extends strands.Model {
  override updateConfig(): void {}

  override getConfig(): strands.BaseModelConfig {
    return { modelId: "scripted" };
  }

  override async *stream(messages: strands.Message[]): AsyncIterable<strands.ModelStreamEvent> {
    requests++;
    const [read] = messages.at(-1)?.content ?? [];
    for (const block of read?.type === "toolResultBlock" ? read.content : []) {
      if (block.type === "textBlock") console.log(`   the model reads: ${block.text.replaceAll("\n", "\n      ")}`);
    }
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    const start = { type: "toolUseStart", name: "read_file", toolUseId: `call-${requests}` } as const;
    yield { type: "modelMessageStartEvent", role: "assistant" };
    yield { type: "modelContentBlockStartEvent", start };
    const delta = { type: "toolUseInputDelta", input: '{"path":"src/login.ts"}' } as const;
    yield { type: "modelContentBlockDeltaEvent", delta };
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: "toolUse" };
  }
}

const readFile = strands.tool({
  name: "read_file",
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  callback: () => "export const login = () => {};",
});

const loops = new LoopPlugin();
const agent = new strands.Agent({ model: new ScriptedModel(), tools: [readFile], printer: false, plugins: [loops] });
await agent.invoke("Fix the login bug.", { limits: { turns: 30 } });

console.log(`\nThe run ended after ${requests} of 30 requests. ${loops.stopped}`);
if (loops.stopped === undefined) process.exitCode = 1;
