import { describe, expect, it } from "vitest";
import { createHostRuns } from "../../host/host-runs.ts";
import { type AgentEvent, createGuard, type Decision } from "../../index.ts";
import { answerHook } from "./answer-hook.ts";
import { type HookOutput, readHookInput } from "./hook-json.ts";

const WORDS = "[doomloop]";
/** Too long to count as one of several readings if another answer comes in between. */
const SAME = "There is nothing in this folder, and there was nothing in it when you looked before, either.";

/** Answers hooks from JSON text to JSON text, as a command does. Each answer climbs one rung, so six calls reach all of them. */
function commandHook() {
  const events: AgentEvent[] = [];
  const own = createGuard({ levels: { told: 3, refused: 5, ended: 6 } });
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return own.observe(event);
  };
  const runs = createHostRuns({ guard: { ...own, observe } }, { nudge: "result", block: true, stop: "clean" });
  const hook = (event: string, fields: object = {}): HookOutput => {
    const input = readHookInput(JSON.parse(JSON.stringify({ session_id: "s", hook_event_name: event, ...fields })));
    return JSON.parse(JSON.stringify(answerHook(input!, runs.of(input!.run))));
  };
  return { hook, events, types: () => events.map(({ type }) => type) };
}

const call = (at: number) => ({ tool_use_id: `call-${at}`, tool_name: "Bash", tool_input: { command: "ls" } });

/** One answer with one call. Returns what the hooks answered. */
function turn(hook: ReturnType<typeof commandHook>["hook"], at: number): HookOutput[] {
  const before = hook("PreToolUse", call(at));
  const after = "hookSpecificOutput" in before ? {} : hook("PostToolUse", { ...call(at), tool_response: SAME });
  return [before, after, hook("PostToolBatch", { tool_calls: [{ ...call(at), tool_response: SAME }] })];
}

describe("answerHook", () => {
  it("observes a failure as a failure, whatever its words", () => {
    const { hook, events } = commandHook();
    hook("PreToolUse", call(1));
    hook("PostToolUseFailure", { ...call(1), error: "all is well" });

    expect(events.at(-1)).toMatchObject({ type: "result", output: "all is well", error: true });
  });

  it("treats an interrupted call as not made", () => {
    const { hook, events } = commandHook();
    const answers = [1, 2, 3, 4].flatMap((at) => [
      hook("PreToolUse", call(at)),
      hook("PostToolUseFailure", { ...call(at), error: "Exit code 137", is_interrupt: true }),
      hook("PostToolBatch", { tool_calls: [{ ...call(at), tool_response: "Exit code 137" }] }),
    ]);

    expect(events.find(({ type }) => type === "result")).toMatchObject({ cancelled: true });
    expect(JSON.stringify(answers)).not.toContain(WORDS);
  });

  it("observes rounds, users and compactions, and does not take system prompts for a user", () => {
    const { hook, types } = commandHook();
    hook("UserPromptSubmit", { prompt: "go", source: "sdk" });
    hook("UserPromptSubmit", { prompt: "a task has ended", source: "system" });
    hook("SubagentStart", { agent_id: "a" });
    hook("PostCompact");

    expect(types()).toEqual(["user", "round", "round", "user", "round", "compaction"]);
  });

  it("does not join the words of two answers if the calls of the first were refused unseen", () => {
    const { hook, events } = commandHook();
    hook("MessageDisplay", { delta: "I look." });
    hook("PostToolBatch", { tool_calls: [call(1)] });
    hook("MessageDisplay", { delta: "I look again." });
    turn(hook, 2);

    expect(events.filter(({ type }) => type === "text")).toMatchObject([{ text: "I look again." }]);
  });

  it("observes only the end of a very long answer", () => {
    const { hook, events } = commandHook();
    for (let at = 0; at < 3; at++) hook("MessageDisplay", { delta: `${at}`.repeat(40_000) });
    turn(hook, 1);

    expect(events[0]).toMatchObject({ text: `${"1".repeat(25_536)}${"2".repeat(40_000)}` });
  });
});

describe("readHookInput", () => {
  it("distinguishes a subagent from its session", () => {
    const base = { hook_event_name: "PreToolUse", session_id: "s" };

    expect(readHookInput({ ...base, agent_id: "a" })?.run).not.toBe(readHookInput(base)?.run);
  });

  it.each([
    undefined,
    null,
    "PreToolUse",
    [],
    {},
    { hook_event_name: "PreToolUse" },
    { hook_event_name: 1, session_id: "s" },
  ])("rejects %j as a hook's input", (value) => {
    expect(readHookInput(value)).toBeUndefined();
  });

  it("ignores fields of the wrong type", () => {
    const wrong = {
      tool_use_id: 1,
      tool_name: {},
      agent_id: 2,
      tool_calls: [null, "x", { tool_use_id: "c" }],
      error: {},
    };

    expect(readHookInput({ hook_event_name: "PostToolBatch", session_id: "s", ...wrong })).toMatchObject({
      run: "s",
      call: { id: undefined, tool: "" },
      error: undefined,
      batch: [{ id: "c" }],
    });
  });
});
