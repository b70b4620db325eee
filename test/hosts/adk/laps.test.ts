import {
  type BaseAgent,
  createEvent,
  type Event,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  LogLevel,
  LoopAgent,
  SequentialAgent,
  StreamingMode,
  setLogLevel,
  Workflow,
} from "@google/adk";
import { guard, loopStop } from "doomloop/adk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

const LAPS = 8;
const SUBJECTS = ["sun", "moon", "river", "stone", "glass", "paper", "violin", "garden", "winter", "harbour"];
const READ: Part = { functionCall: { name: "read_file", args: {} } };

/** An agent that reads the same brief at each of its turns, and then answers this. */
function reader(name: string, answer: (turn: number) => string) {
  let asked = 0;
  const model = new ScriptedLlm(() => {
    const isReading = asked++ % 2 === 0;
    return isReading ? [structuredClone(READ)] : [{ text: answer(asked / 2) }];
  });
  return new LlmAgent({ name, model, tools: [briefTool()] });
}

function looper(name: string) {
  return new LlmAgent({ name, model: new ScriptedLlm(() => [structuredClone(READ)]), tools: [briefTool()] });
}

function briefTool() {
  const execute = () => "The brief: write of the sea.";
  return new FunctionTool({ name: "read_file", description: "reads a file", parameters: z.object({}), execute });
}

async function run(agent: BaseAgent | Workflow, streamingMode = StreamingMode.NONE): Promise<Event[]> {
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const runner = new InMemoryRunner(guard({ agent }, { ...QUICK, onFault }));
  const events: Event[] = [];
  const newMessage = { role: "user", parts: [{ text: "Write of the sea." }] };
  for await (const event of runner.runEphemeral({ userId: "user", newMessage, runConfig: { streamingMode } }))
    events.push(event);
  return events;
}

const stopsIn = (events: readonly Event[]) => events.flatMap((event) => loopStop(event) ?? []);
const answersOf = (events: readonly Event[], name: string) =>
  events.filter(({ author, content, partial }) => author === name && partial !== true && content?.parts?.[0]?.text);

describe.each([StreamingMode.NONE, StreamingMode.SSE])("guard, with laps of agents, streaming %s", (streaming) => {
  const refine = (write: (turn: number) => string, criticise: (turn: number) => string, maxIterations = LAPS) => {
    const critic = new ScriptedLlm(() => [{ text: criticise(++turns) }]);
    let turns = 0;
    const subAgents = [reader("writer", write), new LlmAgent({ name: "critic", model: critic })];
    return run(new LoopAgent({ name: "refine", maxIterations, subAgents }), streaming);
  };

  it("leaves a writer alone that reads the same brief for each new draft", async () => {
    const events = await refine(
      (turn) => `A poem of ${SUBJECTS[turn]}.`,
      (turn) => `Say more of ${SUBJECTS[turn]}.`,
    );

    expect(stopsIn(events)).toEqual([]);
    expect(answersOf(events, "writer")).toHaveLength(LAPS);
    expect(JSON.stringify(events)).not.toContain("doomloop");
  });

  it("leaves a reader alone whom others tell something new", async () => {
    const events = await refine(
      () => "I have read it.",
      (turn) => `Now look at ${SUBJECTS[turn]}.`,
    );

    expect(stopsIn(events)).toEqual([]);
    expect(answersOf(events, "writer")).toHaveLength(LAPS);
  });

  it("ends laps in which all agents say what they have said before", async () => {
    const events = await refine(
      (turn) => `A poem of ${SUBJECTS[turn % 2]}.`,
      () => "Try again.",
      3 * LAPS,
    );

    expect(stopsIn(events)).toHaveLength(1);
    expect(answersOf(events, "writer").length).toBeLessThan(LAPS + 2);
  });
});

describe("guard, with an agent that says something else before each call", () => {
  /** As ADK's own models stream: the words before a call are a response of their own. */
  class FlushingLlm extends ScriptedLlm {
    override async *generateContentAsync(...words: Parameters<ScriptedLlm["generateContentAsync"]>) {
      for await (const { content } of super.generateContentAsync(...words))
        for (const part of content?.parts ?? []) yield { content: { role: "model", parts: [part] } };
    }
  }

  it("does not take that for an answer", async () => {
    let asked = 0;
    const model = new FlushingLlm(() => [{ text: `Of ${SUBJECTS[asked++ % 10]}, then.` }, structuredClone(READ)]);
    const events = await run(new LlmAgent({ name: "agent", model, tools: [briefTool()] }));

    expect(stopsIn(events)).toHaveLength(1);
    expect(asked).toBe(6);
  });
});

describe("guard, with agents in a line", () => {
  it("leaves a workflow alone that leads back to a writer with a new draft", async () => {
    let laps = 0;
    const writer = reader("writer", (turn) => `A poem of ${SUBJECTS[turn]}.`);
    const judge = () => createEvent({ output: "again", route: ++laps < LAPS ? "again" : "enough" });
    const workflow = new Workflow({
      name: "flow",
      edges: [
        ["START", writer],
        [writer, judge],
        [judge, { again: writer }],
      ],
    });
    const events = await run(workflow);

    expect(stopsIn(events)).toEqual([]);
    expect(laps).toBe(LAPS);
  });

  it("shows an end once, however many agents were to follow", async () => {
    const subAgents = ["first", "second", "third"].map(looper);
    const events = await run(new SequentialAgent({ name: "line", subAgents }));

    expect(stopsIn(events)).toHaveLength(1);
    expect(JSON.stringify(events).split("Stopped: the agent")).toHaveLength(1 + 2);
    expect(answersOf(events, "second")).toEqual([]);
  });

  it("ends laps that were to follow, too", async () => {
    const laps = (name: string) =>
      new LoopAgent({ name: `laps_of_${name}`, subAgents: [looper(name)], maxIterations: 1_000_000 });
    const events = await run(new SequentialAgent({ name: "line", subAgents: [laps("first"), laps("second")] }));

    expect(stopsIn(events)).toHaveLength(1);
    expect(events.filter(({ author }) => author === "second").length).toBeLessThan(2);
  });
});
