import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPi } from "@ai-sdk/harness-pi";
import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import { modelServer } from "../shared/coding-agents/model-server.ts";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

/** A request as far as these tests read it. */
export interface ScriptedRequest {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** What the model answers, by what the user asked for and by how often it has answered since, from 0. */
export type Script = (asked: string, answers: number) => ModelTurn;

/** A model that answers from a script, and a harness whose agent asks it. */
export async function scriptedAgent(script: Script) {
  const requests: ScriptedRequest[] = [];
  /** Where a conversation stands: the last thing the user said in it, and how many answers came after. */
  const placeOf = (): readonly [string, number] => {
    const { messages } = requests.at(-1)!;
    const at = messages.findLastIndex(({ role }) => role === "user");
    return [
      JSON.stringify(messages[at]?.content),
      messages.slice(at).filter(({ role }) => role === "assistant").length,
    ];
  };
  const server = await modelServer(
    // Many servers count calls anew in each conversation.
    { ...chatCompletions, answer: (turn, _number, isStream) => chatCompletions.answer(turn, placeOf()[1], isStream) },
    (number) => {
      requests.push(JSON.parse(server.requests[number - 1]!) as ScriptedRequest);
      return script(...placeOf());
    },
  );
  const agentDir = mkdtempSync(join(tmpdir(), "doomloop-harness-"));
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = {
    id: "scripted",
    name: "scripted",
    reasoning: false,
    input: ["text"],
    cost,
    contextWindow: 100_000,
    maxTokens: 1000,
  };
  const providers = { scripted: { baseUrl: server.url, api: "openai-completions", apiKey: "none", models: [model] } };
  const harness = createPi({ providers, agentDir } as never);
  const sandbox = createJustBashSandbox({ cwd: "/work" });
  return {
    settings: { harness, model: "scripted/scripted", sandbox },
    requests,
    /** What the model read of its calls in the last request of this conversation. */
    read(asked: string): readonly string[] {
      const last = requests.findLast(({ messages }) => JSON.stringify(messages).includes(asked));
      return (last?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => JSON.stringify(content));
    },
    close() {
      server.close();
      rmSync(agentDir, { recursive: true, force: true });
    },
  };
}
