import type { CanUseTool, HookCallback, Options, SDKMessage, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { type AgentEvent, createGuard } from "doomloop";
import { guard, type LoopStop, loopStop } from "doomloop/claude-agent-sdk";
import { describe, expect, it } from "vitest";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import type { Block } from "../shared/anthropic-answer.ts";
import { readBody } from "./driver.ts";
import type { Body } from "./messages-server.ts";
import { runQuery } from "./run-query.ts";

const WORDS = "[doomloop]";

const bash = (id: string, command = "echo nothing"): Block => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: { command, description: "looks" },
});

const wordsIn = (bodies: readonly Body[]): boolean[] => bodies.map((body) => JSON.stringify(body).includes(WORDS));

/** A guard that notes what it is told. */
function watched() {
  const events: AgentEvent[] = [];
  const own = createGuard(QUICK);
  const observe = (event: AgentEvent) => {
    events.push(event);
    return own.observe(event);
  };
  return { events, own: { ...own, observe } };
}

const resultOf = (messages: readonly SDKMessage[]) => messages.findLast((message) => message.type === "result");

describe("guard, in the CLI of the Agent SDK", () => {
  it("ends a run of a built-in tool, and shows the human why", async () => {
    const stops: LoopStop[] = [];
    const options = guard({ allowedTools: ["Bash"] }, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const answer = (_body: Body, request: number) => [bash(`call-${request}`)];
    const { bodies, messages, error } = await runQuery(answer, { options });

    expect(error).toBeUndefined();
    expect(bodies).toHaveLength(6);
    expect(resultOf(messages)).toMatchObject({ subtype: "success", is_error: false, terminal_reason: "hook_stopped" });
    expect(stops).toMatchObject([{ callId: "call-6", run: resultOf(messages)?.session_id }]);
    expect(loopStop(resultOf(messages)!)).toBe(stops[0]);
    expect(loopStop({ session_id: "another session" })).toBeUndefined();
    const shown = messages.filter((message) => message.type === "system" && message.subtype === "informational");
    expect(shown).toMatchObject([{ content: expect.stringContaining(stops[0]!.explanation) }]);
    expect(JSON.stringify(shown)).not.toContain(WORDS);
  });

  it("speaks behind a command that fails", async () => {
    const answer = (_body: Body, request: number) => [bash(`call-${request}`, "echo full >&2; exit 3")];
    const { bodies } = await runQuery(answer, { options: guard({ allowedTools: ["Bash"] }, QUICK) });
    const read = JSON.stringify(bodies[3]?.messages.at(-1));

    expect(wordsIn(bodies)).toEqual([false, false, false, true, true, true]);
    expect(read).toContain("Exit code 3");
    expect(read).toContain("failed the same way");
  });

  it("asks the human for each call that runs, and hears of a refusal", async () => {
    const asked: string[] = [];
    const canUseTool: CanUseTool = async (_tool, _input, { toolUseID }) => {
      asked.push(toolUseID);
      return { behavior: "deny", message: `No, not that: ${"somebody else works in this folder. ".repeat(6)}` };
    };
    const answer = (_body: Body, request: number) => [bash(`call-${request}`, "touch a.txt")];
    const { bodies } = await runQuery(answer, { options: guard({ canUseTool }, QUICK) });

    expect(asked.slice(0, 3)).toEqual(["call-1", "call-2", "call-3"]);
    expect(asked.length).toBeLessThan(10);
    expect(wordsIn(bodies).slice(0, 4)).toEqual([false, false, false, true]);
    expect(bodies.map((body) => protocolFaults(readBody(body).messages))).toEqual(bodies.map(() => []));
  });

  it("blocks a loop and ends it where ids repeat, although the CLI keeps the results from the model", async () => {
    const stops: LoopStop[] = [];
    let runs = 0;
    const count: HookCallback = async () => {
      runs++;
      return {};
    };
    const answer = () => [bash("call_0")];
    const mine: Options = { hooks: { PostToolUse: [{ hooks: [count] }] }, allowedTools: ["Bash"] };
    const options = guard(mine, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const { bodies } = await runQuery(answer, { options });

    expect(runs).toBe(4);
    expect(bodies).toHaveLength(6);
    expect(stops).toHaveLength(1);
  });

  it("hears an agent that gives the same two tasks to subagents by turns, and gets the same from each", async () => {
    const kinds: unknown[] = [];
    const options = guard(
      { allowedTools: ["Agent"] },
      { ...QUICK, onDecision: ({ finding }) => void kinds.push(finding?.kind) },
    );
    const isSubagent = ({ messages }: Body): boolean => JSON.stringify(messages[0]).includes("SUBTASK");
    const text = "I looked in every room, in the garden and in the cellar, and it was in none of them. ".repeat(3);
    let asked = 0;
    const { bodies } = await runQuery(
      (body) => {
        if (isSubagent(body)) return [{ type: "text", text }];
        const prompt = `SUBTASK ${asked++ % 2}`;
        const input = { description: "look", prompt, subagent_type: "general-purpose", run_in_background: false };
        return asked > 8
          ? [{ type: "text", text: "Done." }]
          : [{ type: "tool_use", id: `task-${asked}`, name: "Agent", input }];
      },
      { options },
    );
    const own = bodies.filter((body) => !isSubagent(body));

    expect(wordsIn(own).indexOf(true)).toBe(5);
    expect(new Set(kinds)).toEqual(new Set(["call-cycle"]));
  });

  it("guards each subagent by itself, and lets its agent go on when it is ended", async () => {
    const stops: LoopStop[] = [];
    const options = guard({ allowedTools: ["Bash", "Agent"] }, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const isSubagent = ({ messages }: Body): boolean => JSON.stringify(messages[0]).includes("SUBTASK");
    const task = { description: "look", prompt: "SUBTASK", subagent_type: "general-purpose", run_in_background: false };
    const counts = { agent: 0, subagent: 0 };
    const { bodies, messages } = await runQuery(
      (body) => {
        if (isSubagent(body)) return [bash(`sub-${++counts.subagent}`)];
        // The agent makes the subagent's call twice by itself: too few for a loop, unless both are taken for one.
        if (++counts.agent <= 2) return [bash(`own-${counts.agent}`)];
        if (counts.agent === 3) return [{ type: "tool_use", id: "task-1", name: "Agent", input: task }];
        return [{ type: "text", text: "Done." }];
      },
      { options },
    );

    expect(counts).toEqual({ agent: 4, subagent: 6 });
    expect(wordsIn(bodies.filter(isSubagent))).toEqual([false, false, false, true, true, true]);
    expect(stops).toMatchObject([{ callId: "sub-6" }]);
    expect(loopStop(resultOf(messages)!)).toBeUndefined();
    expect(resultOf(messages)).toMatchObject({ result: "Done.", terminal_reason: "completed" });
  });

  it("answers all calls of the last answer, and goes on when the user speaks", async () => {
    const ends: (LoopStop | undefined)[] = [];
    let endOfFirst = (): void => {};
    const isFirstDone = new Promise<void>((resolve) => {
      endOfFirst = resolve;
    });
    const says = (content: string): SDKUserMessage => ({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
    });
    const prompt = async function* () {
      yield says("Where is it?");
      await isFirstDone;
      yield says("Look once more.");
    };
    const answer = (_body: Body, request: number): Block[] => {
      if (request > 8) return [{ type: "text", text: "Done." }];
      // A new call in each answer would make the loop uncertain.
      return request < 6
        ? [bash(`loop-${request}`)]
        : [bash(`loop-${request}`), bash(`new-${request}`, `echo ${request}`)];
    };
    const onMessage = (message: SDKMessage) => {
      if (message.type !== "result") return;
      ends.push(loopStop(message));
      endOfFirst();
    };
    const options = guard({ allowedTools: ["Bash"] }, QUICK);
    const { bodies, messages } = await runQuery(answer, { prompt: prompt(), onMessage, options });
    const results = messages.filter((message) => message.type === "result");

    expect(results.map(({ terminal_reason }) => terminal_reason)).toEqual(["hook_stopped", "completed"]);
    expect(bodies).toHaveLength(9);
    expect(protocolFaults(readBody(bodies[6]!).messages)).toEqual([]);
    expect(JSON.stringify(bodies[6])).toContain("new-6");
    expect(JSON.stringify(bodies[6])).toContain("hook stopped continuation: Stopped: the agent called");
    expect(ends).toEqual([expect.objectContaining({ run: results[0]!.session_id }), undefined]);
    expect(JSON.stringify(bodies[8]?.messages.slice(-3))).not.toContain("Not run:");
  });

  it("runs calls of one answer that share an id, and speaks of none of them", async () => {
    const outputs: unknown[] = [];
    const note: HookCallback = async (input) => {
      if (input.hook_event_name === "PostToolUse") outputs.push((input.tool_response as { stdout: string }).stdout);
      return {};
    };
    const answer = (_body: Body, request: number): Block[] =>
      request > 4
        ? [{ type: "text", text: "Done." }]
        : ["a", "b", "c"].map((name) => bash("same", `echo ${name}${request}`));
    const mine: Options = { hooks: { PostToolUse: [{ hooks: [note] }] }, allowedTools: ["Bash"] };
    const { bodies, messages } = await runQuery(answer, { options: guard(mine, QUICK) });

    // They run side by side and end in any order.
    expect(outputs.sort()).toEqual(["a", "b", "c"].flatMap((name) => [1, 2, 3, 4].map((at) => `${name}${at}`)));
    expect(wordsIn(bodies)).toEqual(bodies.map(() => false));
    expect(resultOf(messages)).toMatchObject({ result: "Done.", terminal_reason: "completed" });
  });

  it("does not refuse a call that shares its id with one that is refused, and hears its result", async () => {
    const { events, own } = watched();
    const answer = (_body: Body, request: number): Block[] =>
      request < 5 ? [bash(`loop-${request}`)] : [bash("same"), bash("same", "echo news")];
    const options = guard({ allowedTools: ["Bash"], maxTurns: 5 }, { guard: own });
    await runQuery(answer, { options });
    const [refused, healthy] = events.flatMap((event) => (event.type === "call" ? [event.id] : [])).slice(-2);
    const outcomeOf = (id: unknown) =>
      events.find((event) => event.type === "result" && event.id === id) as { output: unknown } | undefined;

    expect(refused).not.toBe(healthy);
    expect(JSON.stringify(outcomeOf(refused)?.output)).toContain("Not run:");
    expect(JSON.stringify(outcomeOf(healthy)?.output)).toContain("news");
  });

  it("hears what is said beside calls, and answers only where a hook of the caller's sends the agent back", async () => {
    const { events, own } = watched();
    let nags = 0;
    const nag: HookCallback = async () => (++nags > 4 ? {} : { decision: "block", reason: "Not yet." });
    const answer = (_body: Body, request: number): Block[] =>
      request === 1 ? [{ type: "text", text: "I look." }, bash("call-1")] : [{ type: "text", text: "Done." }];
    const mine: Options = { hooks: { Stop: [{ hooks: [nag] }] }, allowedTools: ["Bash"] };
    const { bodies, messages } = await runQuery(answer, { options: guard(mine, { guard: own }) });

    expect(bodies).toHaveLength(6);
    expect(resultOf(messages)).toMatchObject({ result: "Done.", terminal_reason: "completed" });
    expect(events.filter(({ type }) => type === "text")).toMatchObject([
      { type: "text", text: "I look.", partial: true },
      ...[1, 2, 3, 4].map(() => ({ type: "text", text: "Done." })),
    ]);
    expect(events.findIndex(({ type }) => type === "text")).toBe(events.findIndex(({ type }) => type === "call") - 1);
  });

  it("leaves a hook of the caller's its say", async () => {
    const denied: HookCallback = async () => ({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "not on Sundays",
      },
    });
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [denied] }] };
    const answer = (_body: Body, request: number) => [bash(`call-${request}`)];
    const { bodies } = await runQuery(answer, { options: guard({ hooks, allowedTools: ["Bash"] }, QUICK) });

    expect(JSON.stringify(bodies[1])).toContain("not on Sundays");
    expect(wordsIn(bodies)).toEqual([false, false, false, true, true, true]);
  });
});
