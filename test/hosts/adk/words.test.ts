import {
  type Event,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmResponse,
  LogLevel,
  SequentialAgent,
  StreamingMode,
  setLogLevel,
} from "@google/adk";
import { type AgentEvent, createGuard, type Decision } from "doomloop";
import { guard, loopStop } from "doomloop/adk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

const CALL: Part = { functionCall: { name: "read_file", args: {} } };
const tool = new FunctionTool({
  name: "read_file",
  description: "reads a file",
  parameters: z.object({}),
  execute: () => "nothing",
});

/** A guard that continues, and notes what it hears. */
function listening() {
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return { action: "continue" };
  };
  const heard = () => events.map((event) => ("text" in event ? `${event.type} ${event.text}` : event.type));
  return { own: { ...createGuard(), observe }, heard };
}

async function run(agent: ConstructorParameters<typeof InMemoryRunner>[0]["agent"], isStreaming = false) {
  const { own, heard } = listening();
  const runner = new InMemoryRunner(guard({ agent: agent! }, { guard: own }));
  const newMessage = { role: "user", parts: [{ text: "go" }] };
  const runConfig = isStreaming ? { streamingMode: StreamingMode.SSE } : {};
  for await (const _ of runner.runEphemeral({ userId: "user", newMessage, runConfig }));
  return heard();
}

const thinking: Part[] = [{ text: "Hm.", thought: true }, { text: "I look." }, CALL];

/** A model that answers these one after the other, then ends. */
function modelOf(...answers: Part[][]): ScriptedLlm {
  let at = 0;
  return new ScriptedLlm(() => structuredClone(answers[at++] ?? [{ text: "The end." }]));
}

/** The same, but as ADK's own models stream: words that come before a call are a response of their own. */
class FlushingLlm extends ScriptedLlm {
  override async *generateContentAsync(...words: Parameters<ScriptedLlm["generateContentAsync"]>) {
    for await (const response of super.generateContentAsync(...words)) {
      if (response.partial) yield response;
      else for (const part of response.content?.parts ?? []) yield responseOf(part);
    }
  }
}

function responseOf(part: Part): LlmResponse {
  return { content: { role: "model", parts: [part] } };
}

describe("guard, with what the model says", () => {
  const heard = ["user go", "round", "reasoning Hm.", "text I look.", "call", "result", "round"];

  it.each([false, true])(
    "hears words and thoughts beside a call once, before the call (stream: %s)",
    async (isStreaming) => {
      const agent = new LlmAgent({ name: "agent", model: modelOf(thinking), tools: [tool] });

      expect(await run(agent, isStreaming)).toEqual(heard);
    },
  );

  it("hears them where they come as a response of their own", async () => {
    let at = 0;
    const model = new FlushingLlm(() => structuredClone(at++ === 0 ? thinking : [{ text: "The end." }]));
    const agent = new LlmAgent({ name: "agent", model, tools: [tool] });

    expect(await run(agent, true)).toEqual(heard);
  });

  it("takes nothing from agents that answer the same one after the other", async () => {
    const subAgents = Array.from({ length: 5 }, (_, at) => new LlmAgent({ name: `agent_${at}`, model: modelOf() }));

    const heard = await run(new SequentialAgent({ name: "line", subAgents }));

    expect(heard.filter((event) => event.startsWith("text"))).toEqual([]);
    expect(heard.filter((event) => event === "round")).toHaveLength(5);
  });
});

describe("loopStop", () => {
  it("finds the end in the events that the session has stored", async () => {
    const model = new ScriptedLlm(() => [structuredClone(CALL)]);
    const agent = new LlmAgent({ name: "agent", model, tools: [tool] });
    const runner = new InMemoryRunner(guard({ agent }));
    const { appName } = runner;
    const { id: sessionId } = await runner.sessionService.createSession({ appName, userId: "user" });
    const newMessage = { role: "user", parts: [{ text: "go" }] };
    for await (const _ of runner.runAsync({ userId: "user", sessionId, newMessage }));
    const session = await runner.sessionService.getSession({ appName, userId: "user", sessionId });
    const stored = JSON.parse(JSON.stringify(session?.events)) as Event[];

    expect(stored.map((event) => loopStop(event)?.status).filter(Boolean)).toEqual(["LOOP_DETECTED"]);
    expect(loopStop(stored.at(-1)!)?.explanation).toBe(stored.at(-1)?.content?.parts?.[0]?.text);
  });

  it("knows no end in what others have noted", () => {
    expect(loopStop({ customMetadata: { doomloop: "mine" } })).toBeUndefined();
    expect(loopStop({})).toBeUndefined();
    expect(loopStop(undefined as never)).toBeUndefined();
  });
});
