/**
 * A Strands agent whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import * as strands from "@strands-agents/sdk";
import { guard, loopStop } from "doomloop/strands";
import { z } from "zod";

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

// The one line.
const config = guard({ model: new ScriptedModel(), tools: [readFile], printer: false }, { strands });

const agent = new strands.Agent(config);
const result = await agent.invoke("Fix the login bug.", { limits: { turns: 30 } });

const stop = loopStop(result);
console.log(`\nThe run ended after ${requests} of 30 requests. ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;
