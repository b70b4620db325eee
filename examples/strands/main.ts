/**
 * An agent of Strands whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import * as strands from "@strands-agents/sdk";
import { loopGuard, loopStop } from "doomloop/strands";
import { z } from "zod";

let requests = 0;

/** The "model" asks for the same search again and again. */
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
    console.log(`${requests}. the model calls search("login bug")`);
    const start = { type: "toolUseStart", name: "search", toolUseId: `call-${requests}` } as const;
    yield { type: "modelMessageStartEvent", role: "assistant" };
    yield { type: "modelContentBlockStartEvent", start };
    const delta = { type: "toolUseInputDelta", input: '{"query":"login bug"}' } as const;
    yield { type: "modelContentBlockDeltaEvent", delta };
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: "toolUse" };
  }
}

const search = strands.tool({
  name: "search",
  description: "Searches the code.",
  inputSchema: z.object({ query: z.string() }),
  callback: () => "No results found.",
});

// The one line: a plugin.
const plugins = [loopGuard(strands)];

const agent = new strands.Agent({ model: new ScriptedModel(), tools: [search], plugins, printer: false });
const result = await agent.invoke("Fix the login bug.", { limits: { turns: 30 } });

const stop = loopStop(result);
console.log(`\nThe run ended after ${requests} of 30 requests. ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;
