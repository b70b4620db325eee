import { type AgentEvent, createGuard, type GuardOptions, isDoomloopError } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result, step } from "../../../../test/builders.ts";

/** What a guard tells of its host's mistakes while it observes these. */
function toldOf(events: readonly unknown[], options: GuardOptions = {}): string[] {
  const told: string[] = [];
  const guard = createGuard({
    ...options,
    onFault: (fault) => void told.push(isDoomloopError(fault) ? `${fault.code}: ${fault.message}` : String(fault)),
  });
  for (const event of events) expect(guard.observe(event as AgentEvent).action).toBe("continue");
  expect(guard.stats().faults).toBe(0);
  return told;
}

class Opaque {
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

describe("a guard", () => {
  it.each<[unknown, string]>([
    ["call", "observe: an event is required, got string"],
    [null, "observe: an event is required, got null"],
    [{ tool: "search" }, "observe: an event with a type is required, got undefined"],
    [{ type: "tool_call", tool: "search" }, 'observe: "tool_call" is no type of event; did you mean "call"?'],
    [{ type: "resutl" }, 'observe: "resutl" is no type of event; did you mean "result"?'],
    [{ type: "zebra" }, 'observe: "zebra" is no type of event; one of call, result, text, reasoning, round, user,'],
    [{ type: "call", args: {} }, "call: tool must be a text, got undefined"],
    [{ type: "call", tool: "search", arguments: {} }, 'call: "arguments" is not read; did you mean "args"?'],
    [{ type: "call", tool: "search", args: {}, toolCallId: "1" }, 'call: "toolCallId" is not read; did you mean "id"?'],
    [{ type: "call", tool: "search", args: {}, at: new Date(5) }, "call: at must be milliseconds, got a date"],
    [{ type: "call", tool: "search", args: new Opaque() }, "args of search cannot be compared"],
    [{ type: "text" }, "text: text must be a text, got undefined"],
    [{ type: "state", name: "diff", value: 1 }, 'state: "name" is not read; did you mean "key"?'],
    [{ type: "state", key: "diff", value: new Opaque() }, "state: value cannot be compared"],
  ])("tells of %j", (event, message) => {
    expect(toldOf([event])[0]).toContain(`misuse: ${message}`);
  });

  it.each<[object, string]>([
    [{ output: Promise.resolve("x") }, "result: output is a promise, so it cannot be compared; await it first"],
    [{ result: "none" }, 'result: "result" is not read; did you mean "output"?'],
    [{ output: "x", isError: true }, 'result: "isError" is not read; did you mean "error"?'],
    [{ output: "x", error: new Error("boom") }, "result: error must be true or false, got an object"],
    [{ output: new Opaque() }, "output of search cannot be compared, so repeats are not noticed"],
  ])("tells of the result %j", (fields, message) => {
    expect(toldOf([call("search", {}), { type: "result", ...fields }])[0]).toContain(`misuse: ${message}`);
  });

  it("tells of each mistake once", () => {
    const mistakes = [{ type: "tool_call" }, call("a", new Opaque()), call("b", new Opaque()), { type: "tool_call" }];

    expect(toldOf([...mistakes, ...mistakes])).toHaveLength(3);
  });

  it("tells of at most 16 mistakes", () => {
    expect(toldOf(Array.from({ length: 40 }, (_, at) => call(`tool_${at}`, new Opaque())))).toHaveLength(16);
  });

  it("tells of results whose ids fit no call, if none ever fits", () => {
    const unpaired = (count: number) =>
      Array.from({ length: count }, (_, at) => [
        call("search", { at }, { id: `a${at}` }),
        result("none", { id: `b${at}` }),
      ]).flat();

    expect(toldOf(unpaired(3))).toEqual([expect.stringContaining("misuse: result: no call has its id")]);
    expect(toldOf(unpaired(2))).toEqual([]);
    expect(toldOf([...step("look", {}, "x"), ...unpaired(9)])).toEqual([]);
  });

  it("expects no call for the result of a tool that it ignores", () => {
    const ignored = Array.from({ length: 9 }, (_, at) => step("ls", { at }, "x", { id: `${at}` })).flat();

    expect(toldOf(ignored, { tools: { ls: { ignore: true } } })).toEqual([]);
  });

  it("tells of more measures than it keeps", () => {
    const measures = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ type: "state", key: `k${at}`, value: at }));

    expect(toldOf(measures(16))).toEqual([]);
    expect(toldOf(measures(17))).toEqual(["misuse: state: 16 keys are compared; the others are not looked at"]);
  });

  it.each(["ignore", "identity"] as const)("tells of a rule whose %s answers later", (name) => {
    const tools = { search: { [name]: async () => true } } as unknown as GuardOptions["tools"];

    expect(toldOf([call("search", { q: "x" }), result("none")], { tools: tools! })).toEqual([
      `misuse: tools["search"].${name}: an answer at once is required, got a promise`,
    ]);
  });

  it("tells nothing of well-formed events, nor of what it is only asked about", () => {
    const told: unknown[] = [];
    const guard = createGuard({ onFault: (fault) => told.push(fault) });
    guard.peek({ type: "tool_call" } as never);
    guard.peek(call("a", new Opaque()));
    for (const event of step("search", { q: "x" }, { rows: [] }, { at: 5, error: false })) guard.observe(event);

    expect(told).toEqual([]);
  });
});
