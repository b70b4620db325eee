import { describe, expect, it } from "vitest";
import { opencodeHook } from "./hook.ts";

const told = (event: string, more: object = {}) =>
  opencodeHook.read({
    event,
    sessionID: "s",
    directory: "/work",
    tool: "bash",
    callID: "c",
    args: { command: "ls" },
    ...more,
  });
const call = { id: "c", tool: "bash", args: { command: "ls" } };

describe("what our plugin tells of opencode", () => {
  it("is a call, its result, or its failure", () => {
    expect(told("tool.execute.before")).toMatchObject({
      session: "s",
      folder: "/work",
      moment: { type: "call", call },
    });
    expect(told("tool.execute.after", { output: "x", metadata: { exit: 0 } })?.moment).toEqual({
      type: "result",
      call,
      output: "x",
      error: undefined,
    });
    expect(told("tool.execute.after", { output: "x", metadata: { exit: 1 } })?.moment).toMatchObject({ error: true });
    expect(told("tool.error", { error: "no such file" })?.moment).toMatchObject({
      output: "no such file",
      error: true,
    });
  });

  it("is the user, or a compaction", () => {
    expect(told("chat.message", { text: "go on" })?.moment).toEqual({ type: "user", text: "go on" });
    expect(told("session.compacted")?.moment).toEqual({ type: "compaction" });
  });

  it("is nothing without a session, or of an event that is unknown", () => {
    expect(told("tool.execute.before", { sessionID: 1 })).toBeUndefined();
    expect(told("session.created")).toBeUndefined();
  });

  it("is answered with what the plugin can do", () => {
    const input = told("tool.execute.before")!;
    const refusal = { type: "refusal", words: "no", explanation: "why" } as const;

    expect(opencodeHook.write({ type: "words", words: "hear" }, input)).toEqual({ words: "hear" });
    expect(opencodeHook.write({ ...refusal, isEnd: false }, input)).toEqual({ refusal: "no" });
    expect(opencodeHook.write({ ...refusal, isEnd: true }, input)).toEqual({ refusal: "no", stop: true });
    expect(opencodeHook.write({ type: "end", explanation: "why" }, input)).toEqual({ stop: true });
    expect(opencodeHook.write({ type: "nothing" }, input)).toBeUndefined();
  });
});
