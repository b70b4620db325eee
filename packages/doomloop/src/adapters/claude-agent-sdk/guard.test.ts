import { describe, expect, it } from "vitest";
import type { HookOutput } from "./hook-json.ts";
import { guard, loopStop } from "./index.ts";

const QUICK = { levels: { told: 3, refused: 5, ended: 6 } };

interface Hooks {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly ((input: object) => Promise<HookOutput>)[] }[]>
  >;
}

type Fire = (event: string, session: string, fields?: object) => Promise<HookOutput>;

/** Calls the first hook of an event, which is ours, as the SDK does. */
function firing(options: object): Fire {
  const { hooks } = options as Hooks;
  return (event, session, fields = {}) =>
    hooks[event]![0]!.hooks[0]!({ hook_event_name: event, session_id: session, ...fields });
}

/** A session that makes the same call until its guard ends it. */
async function endSession(fire: Fire, session: string, fields: object = {}): Promise<void> {
  for (let at = 1; at <= 6; at++) {
    const call = { tool_use_id: `${at}`, tool_name: "Bash", tool_input: { command: "ls" }, ...fields };
    await fire("PreToolUse", session, call);
    const tool_response =
      "There is nothing in this folder, and there was nothing in it when you looked before, either.";
    await fire("PostToolUse", session, { ...call, tool_response });
    await fire("PostToolBatch", session, { tool_calls: [{ ...call, tool_response }], ...fields });
  }
}

describe("guard", () => {
  it("joins its hooks with the caller's, event by event, and keeps all other options", () => {
    const [before, other] = [{ matcher: "Bash", hooks: [] }, { hooks: [] }];
    const options = Object.freeze({
      maxTurns: 5,
      hooks: Object.freeze({ PreToolUse: [before], Notification: [other] }),
    });
    const guarded = guard(options);

    expect(guarded.maxTurns).toBe(5);
    expect(guarded.hooks.PreToolUse).toEqual([{ hooks: [expect.any(Function)] }, before]);
    expect(guarded.hooks.Notification).toEqual([other]);
    expect(guarded.hooks).toHaveProperty("PostToolBatch");
    expect(options.hooks.PreToolUse).toHaveLength(1);
  });

  it("throws for what it cannot guard and for an option that it does not know, when it is wired", () => {
    expect(() => guard({ prompt: "go", options: {} } as never)).toThrow("guard: the options of query are required");
    expect(() => guard({}, { threshold: 3 } as never)).toThrow("threshold");
  });
});

describe("loopStop", () => {
  it("finds the end of a session by any of its messages, until the user's next prompt", async () => {
    const fire = firing(guard({}, QUICK));
    await endSession(fire, "one");
    const stop = loopStop({ session_id: "one" });
    await fire("UserPromptSubmit", "one", { prompt: "a task has ended", source: "system" });

    expect(stop).toMatchObject({ status: "LOOP_DETECTED", tool: "Bash", run: "one" });
    expect(loopStop({ session_id: "one" })).toBe(stop);
    expect(loopStop({ session_id: "another" })).toBeUndefined();
    await fire("UserPromptSubmit", "one", { prompt: "Look once more." });
    expect(loopStop({ session_id: "one" })).toBeUndefined();
  });

  it("takes the end back when another query continues the session", async () => {
    await endSession(firing(guard({}, QUICK)), "resumed");
    expect(loopStop({ session_id: "resumed" })).toBeDefined();
    await firing(guard({}))("UserPromptSubmit", "resumed", { prompt: "Go on." });

    expect(loopStop({ session_id: "resumed" })).toBeUndefined();
  });

  it("does not take the end of a subagent for the end of its session", async () => {
    await endSession(firing(guard({}, QUICK)), "parent", { agent_id: "child" });

    expect(loopStop({ session_id: "parent" })).toBeUndefined();
  });

  it("forgets the oldest of very many ends", async () => {
    const fire = firing(guard({}, QUICK));
    for (let at = 0; at <= 1000; at++) await endSession(fire, `session-${at}`);

    expect(loopStop({ session_id: "session-0" })).toBeUndefined();
    expect(loopStop({ session_id: "session-1" })).toBeDefined();
  });

  it.each([undefined, null, "text", {}, { session_id: 1 }])("knows no end for %j", (message) => {
    expect(loopStop(message as never)).toBeUndefined();
  });
});
