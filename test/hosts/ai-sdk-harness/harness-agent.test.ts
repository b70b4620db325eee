import { HarnessAgent } from "@ai-sdk/harness/agent";
import { type AgentEvent, createGuard } from "doomloop";
import { guard, type HostOptions, loopStop } from "doomloop/ai-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { type Script, scriptedAgent } from "./scripted-agent.ts";

const WORDS = "[doomloop]";
const REJECTED = { ok: false, error: "schema mismatch" };
const write: ModelTurn = { calls: [{ tool: "write_card", args: { id: 7 } }] };

/** The same call so often. */
const looping =
  (calls: number): Script =>
  (_asked, answers) =>
    answers < calls ? write : { text: "I give up." };

/** The number of the first result with these words, from 1. */
const first = (read: readonly string[], words: string): number => read.findIndex((text) => text.includes(words)) + 1;

const closing: (() => unknown)[] = [];

/** A harness with one tool of the host's. */
async function createHost(script: Script, execute: (card: { id: number }) => unknown = () => REJECTED) {
  const host = await scriptedAgent(script);
  closing.push(host.close);
  const executed: { id: number }[] = [];
  const write_card = {
    description: "Writes a card.",
    inputSchema: z.object({ id: z.number() }),
    execute(card: { id: number }) {
      executed.push(card);
      return execute(card);
    },
  };
  const faults: string[] = [];
  const options: HostOptions = { onFault: (fault) => void faults.push(String(fault)) };
  return { ...host, settings: { ...host.settings, tools: { write_card } }, executed, faults, options };
}

/** A prompt in a session of its own. */
async function ask(agent: unknown, prompt: string) {
  // Its tools are part of its type.
  const any = agent as HarnessAgent;
  const session = await any.createSession();
  const result = await any.generate({ session, prompt });
  await session.destroy();
  return result;
}

beforeEach(() => {
  vi.stubEnv("PI_OFFLINE", "1");
  vi.stubEnv("PI_TELEMETRY", "0");
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

describe("a HarnessAgent", () => {
  it.each([
    ["no condition", {}],
    ["an empty list", { stopWhen: [] }],
    ["a condition", { stopWhen: () => false }],
  ])("is told, refused and ended in a session, with %s", async (_what, condition) => {
    const { settings, read, executed, faults, options } = await createHost(looping(40));
    const result = await ask(guard(new HarnessAgent({ ...settings, ...condition }), options), "Write the card.");

    const answers = read("Write the card.");
    expect([first(answers, WORDS), first(answers, "Not run"), result.steps.length]).toEqual([3, 10, 20]);
    expect(loopStop(result)).toMatchObject({ status: "LOOP_DETECTED", tool: "write_card" });
    expect(executed.length).toBeLessThan(20);
    expect(faults).toEqual([]);
  });

  it.each([
    ["a text", "Error: schema mismatch", /^"Error: schema mismatch\\n\\n\[doomloop\]/],
    ["an object", REJECTED, /schema mismatch.*doomloop.*\[doomloop\]/],
    ["an object as JSON", JSON.stringify(REJECTED), /^"\{.*schema mismatch.*doomloop.*\[doomloop\].*\}"$/],
  ])("reads words in %s that leave it what it is", async (_what, output, expected) => {
    const { settings, read, faults, options } = await createHost(looping(3), () => output);
    const { steps } = await ask(guard(new HarnessAgent(settings), options), "Write the card.");

    expect(read("Write the card.")[2]).toMatch(expected);
    expect(typeof steps[2]!.toolResults[0]!.output).toBe(typeof output);
    expect(faults).toEqual([]);
  });

  it.each([
    ["had no room in a list", write],
    ["is about a tool of the harness", { calls: [{ tool: "bash", args: { command: "cat missing.txt" } }] }],
  ])("reads as a message, before anything is refused or ended, what %s", async (_what, call) => {
    let answers = 0;
    // Our message must not begin the script anew.
    const script: Script = () => (answers++ < 25 ? call : { text: "I give up." });
    const { settings, requests, faults, options } = await createHost(script, () => [REJECTED]);
    const result = await ask(guard(new HarnessAgent(settings), options), "Do it.");

    const told = requests.findIndex(({ messages }) => JSON.stringify(messages).includes(WORDS));
    expect(requests[told]!.messages.at(-1)).toMatchObject({ role: "user" });
    expect(told).toBeLessThan(6);
    expect([result.steps.length, loopStop(result)?.status]).toEqual([20, "LOOP_DETECTED"]);
    expect(faults).toEqual([]);
  });

  it("has a run for each session, at once and one after the other", async () => {
    const script: Script = (asked, answers) => {
      const id = asked.includes("Loop") ? 7 : answers;
      return answers < 12 ? { calls: [{ tool: "write_card", args: { id } }] } : { text: "Done." };
    };
    const { settings, read, options } = await createHost(script, ({ id }) => (id === 7 ? REJECTED : `Card ${id}.`));
    const agent = guard(new HarnessAgent(settings), options);
    await Promise.all([ask(agent, "Loop."), ask(agent, "Write twelve cards."), ask(agent, "Loop again.")]);
    await ask(agent, "Write more cards.");

    expect(["Loop.", "Loop again."].map((asked) => first(read(asked), WORDS))).toEqual([3, 3]);
    expect(["Write twelve cards.", "Write more cards."].map((asked) => first(read(asked), WORDS))).toEqual([0, 0]);
  });

  it("has no run that goes on in the next session, whatever is the same", async () => {
    const { settings, requests, faults, options } = await createHost(looping(1));
    const agent = guard(new HarnessAgent(settings), options);
    for (let session = 0; session < 22; session++) await ask(agent, "Write the card.");

    expect(requests).toHaveLength(44);
    expect(JSON.stringify(requests)).not.toContain(WORDS);
    expect(faults).toEqual([]);
  });

  it("goes on with its session when the user speaks", async () => {
    const { settings, read } = await createHost((asked, answers) =>
      looping(asked.includes("Once") ? 1 : 11)(asked, answers),
    );
    const agent = guard(new HarnessAgent(settings));
    const session = await agent.createSession();
    await agent.generate({ session, prompt: "Write the card." });
    await agent.generate({ session, prompt: "Once more." });
    await session.destroy();

    const answers = read("Once more.");
    expect(answers[10]).toContain("Not run");
    expect(answers[11]).not.toContain(WORDS);
  });

  it("watches calls that a person approves, each in a continuation of its turn", async () => {
    const { settings, read, faults, options } = await createHost(looping(20));
    const toolApproval = { write_card: "user-approval" } as const;
    const agent = guard(new HarnessAgent({ ...settings, toolApproval }), options);
    const session = await agent.createSession();
    let result = await agent.generate({ session, prompt: "Write the card." });
    for (let approved = 0; approved < 11; approved++) {
      const asked = result.steps.at(-1)!.content.find((part) => part.type === "tool-approval-request");
      const answer = { type: "tool-approval-response", approvalId: asked!.approvalId, approved: true } as const;
      result = await agent.continueGenerate({ session, toolApprovalContinuations: [answer] });
    }
    await session.destroy();

    const answers = read("Write the card.");
    expect([first(answers, WORDS), first(answers, "Not run")]).toEqual([3, 10]);
    expect(faults).toEqual([]);
  });

  it.each([
    ["denied", { toolApproval: { write_card: "denied" } }],
    ["not active", { inactiveTools: ["write_card"] }],
  ] as const)("takes a call for a failure, and for no mistake of the host, if its tool is %s", async (_what, more) => {
    const { settings, read, executed, faults, options } = await createHost(looping(40));
    const agent = new HarnessAgent({ ...settings, ...(more as object) });
    const result = await ask(guard(agent, options), "Write the card.");

    expect([executed, faults]).toEqual([[], []]);
    expect(read("Write the card.").length).toBeLessThan(40);
    expect(loopStop(result)).toBeDefined();
  });

  it("reports what the harness runs by itself, and which calls are of one answer", async () => {
    const both: ModelTurn = {
      calls: [...write.calls!, ...write.calls!, { tool: "bash", args: { command: "echo done" } }],
    };
    const { settings, read, faults, options } = await createHost((_asked, answers) =>
      answers < 2 ? both : { text: "Done." },
    );
    const events: AgentEvent[] = [];
    let begun = 0;
    const agent = new HarnessAgent({ ...settings, onStepStart: () => void begun++ });
    const record: HostOptions["createGuard"] = (given) => {
      const own = createGuard(given);
      const observe = (event: AgentEvent) => {
        events.push(event);
        return own.observe(event);
      };
      return { ...own, observe };
    };
    await ask(guard(agent, { ...options, createGuard: record }), "Write two cards.");

    const kinds = events.map((event) => (event.type === "call" ? event.tool : event.type));
    const round = ["round", "write_card", "write_card", "result", "result", "bash", "result"];
    expect(kinds.filter((kind) => kind !== "user").sort()).toEqual(["round", ...round, ...round].sort());
    expect(events.filter((event) => event.type === "user")).toContainEqual({ type: "user", text: "Write two cards." });
    expect(first(read("Write two cards."), WORDS)).toBe(0);
    expect(begun).toBe(3);
    expect(faults).toEqual([]);
  });

  it.each([
    ["an empty list", { stopWhen: [] }],
    ["no condition", {}],
  ])("says once if its settings were guarded instead, with %s, and leaves it alone", async (_what, condition) => {
    const { settings, read, executed, faults, options } = await createHost(looping(25));
    const result = await ask(new HarnessAgent(guard({ ...settings, ...condition }, options)), "Write the card.");

    expect(faults).toEqual([expect.stringContaining("pass a HarnessAgent to guard, not its tools")]);
    expect(executed).toHaveLength(25);
    expect([result.steps.length, first(read("Write the card."), WORDS)]).toEqual([26, 0]);
    expect(loopStop(result)).toBeUndefined();
  });

  it("does what it did before, without a loop", async () => {
    const script: Script = (_asked, answers) =>
      answers < 3 ? { calls: [{ tool: "write_card", args: { id: answers } }] } : { text: "Done." };
    const bare = await createHost(script, ({ id }) => ({ id }));
    const guarded = await createHost(script, ({ id }) => ({ id }));
    const before = await ask(new HarnessAgent(bare.settings), "Write three cards.");
    const after = await ask(guard(new HarnessAgent(guarded.settings), guarded.options), "Write three cards.");

    expect(after.steps.map(({ content }) => content)).toEqual(before.steps.map(({ content }) => content));
    expect(guarded.read("Write three cards.")).toEqual(bare.read("Write three cards."));
    expect(after.text).toBe("Done.");
  });
});
