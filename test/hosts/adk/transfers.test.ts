import { FunctionTool, InMemoryRunner, LlmAgent, type LlmRequest, LogLevel, setLogLevel } from "@google/adk";
import { guard, type HostOptions, type LoopStop } from "doomloop/adk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

const WORDS = "[doomloop]";

/** Runs an agent that transfers to another, which looks something up, and transfers back. */
async function triage() {
  const requests: string[] = [];
  let lookUps = 0;
  const modelOf = (answer: (last: string) => Part) =>
    new ScriptedLlm(({ contents }: LlmRequest) => {
      requests.push(JSON.stringify(contents));
      return [answer(JSON.stringify(contents.at(-1)))];
    });
  const transfer = (agentName: string): Part => ({ functionCall: { name: "transfer_to_agent", args: { agentName } } });
  const look = new FunctionTool({
    name: "look_up",
    description: "looks up",
    parameters: z.object({ item: z.string() }),
    execute: ({ item }) => `All about ${item}.`,
  });
  const clerk = new LlmAgent({
    name: "clerk_agent",
    description: "looks up",
    model: modelOf((last) =>
      last.includes("All about")
        ? transfer("triage_agent")
        : { functionCall: { name: "look_up", args: { item: `item ${++lookUps}` } } },
    ),
    tools: [look],
  });
  const agent = new LlmAgent({
    name: "triage_agent",
    model: modelOf(() => (lookUps < 8 ? transfer("clerk_agent") : { text: "Done." })),
    subAgents: [clerk],
  });
  const runner = new InMemoryRunner(guard({ agent }));
  const newMessage = { role: "user", parts: [{ text: "Where is my bill?" }] };
  for await (const _ of runner.runEphemeral({ userId: "user", newMessage }));
  return { requests, lookUps };
}

/** Runs two agents that transfer to each other, with what `beside` puts before each transfer; notes what the models read. */
async function transferring(
  length: number,
  beside: (at: number) => Part[] = () => [],
  tools: FunctionTool[] = [],
  options: HostOptions = {},
) {
  const requests: string[] = [];
  const stops: LoopStop[] = [];
  const modelOf = (agentName: string) =>
    new ScriptedLlm(({ contents }: LlmRequest) => {
      requests.push(JSON.stringify(contents));
      const at = requests.length;
      const transfer = { functionCall: { name: "transfer_to_agent", args: { agentName } } };
      return at > length ? [{ text: "Done." }] : [...beside(at), transfer];
    });
  const billing = new LlmAgent({ name: "billing_agent", model: modelOf("service_agent"), description: "bills", tools });
  const service = new LlmAgent({
    name: "service_agent",
    model: modelOf("billing_agent"),
    subAgents: [billing],
    tools,
  });
  const onStop = (stop: LoopStop) => void stops.push(stop);
  const runner = new InMemoryRunner(guard({ agent: service }, { ...options, onStop }));
  const { appName } = runner;
  const { id: sessionId } = await runner.sessionService.createSession({ appName, userId: "user" });
  const newMessage = { role: "user", parts: [{ text: "Where is my bill?" }] };
  const texts: (string | undefined)[] = [];
  for await (const { content } of runner.runAsync({ userId: "user", sessionId, newMessage })) {
    texts.push(content?.parts?.[0]?.text);
  }
  return { requests, stops, last: texts.at(-1) };
}

const HEROES =
  "ant bear crow deer eagle frog goat heron ibis jay kite lark mole newt otter pike quail raven seal toad urchin".split(
    " ",
  );

describe("guard, with agents that transfer to each other", () => {
  it("hears them go to and fro, tells them, and ends the run in the end", async () => {
    const { requests, stops, last } = await transferring(40, undefined, [], QUICK);

    expect(requests.map((request) => request.includes(WORDS)).indexOf(true)).toBeGreaterThan(4);
    expect(stops[0]?.kind).toBe("call-cycle");
    expect(requests.length).toBeLessThan(25);
    expect(last).toBe(stops[0]?.explanation);
  });

  it("says nothing to agents that pass a text to and fro", async () => {
    const { requests } = await transferring(20, (at) => [
      { text: `In this version, the ${HEROES[at % HEROES.length]} of chapter ${at} comes home.` },
    ]);

    expect(requests).toHaveLength(21);
    expect(requests.join()).not.toContain(WORDS);
  });

  it("says nothing to an agent that transfers to one that works each time", async () => {
    const { requests, lookUps } = await triage();

    expect(lookUps).toBe(8);
    expect(requests.join()).not.toContain(WORDS);
  });

  it("judges agents that do something by what they do", async () => {
    let pages = 0;
    const parameters = z.object({});
    const read = new FunctionTool({ name: "read", description: "reads", parameters, execute: () => `page ${++pages}` });
    const { requests } = await transferring(20, () => [{ functionCall: { name: "read", args: {} } }], [read]);

    expect(requests).toHaveLength(21);
    expect(requests.join()).not.toContain(WORDS);
  });
});
