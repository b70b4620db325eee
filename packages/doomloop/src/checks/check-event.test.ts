import { type AgentEvent, createGuard, type GuardOptions, isDoomloopError } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result, round, step, times } from "../../../../test/builders.ts";

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
    [null, "observe: an event is required, got null"],
    [{ tool: "search" }, "observe: an event with a type is required, got undefined"],
    [{ type: "resutl" }, 'observe: "resutl" is not an event type; did you mean "result"?'],
    [{ type: "zebra" }, 'observe: "zebra" is not an event type; one of call, result, text, reasoning, round, user,'],
    [{ type: "call", args: {} }, "call: tool must be a string, got undefined"],
    [
      { type: "call", tool: "search", args: {}, toolCallId: "1" },
      'call: "toolCallId" is not a known field; did you mean "id"?',
    ],
    [{ type: "call", tool: "search", id: 7 }, "call: id must be a string, got number"],
    [{ type: "toolCall" }, 'observe: "toolCall" is not an event type; did you mean "call"?'],
    [{ type: "call", tool: "search", args: {}, at: Number.NaN }, "call: at must be milliseconds, got number"],
    [
      { type: "call", tool: "search", args: {}, timestamp: 5 },
      'call: "timestamp" is not a known field; did you mean "at"?',
    ],
    [{ type: "call", tool: "search", Id: "1" }, 'call: "Id" is not a known field; did you mean "id"?'],
    [{ type: "call", tool: "ls", read_only: true }, 'call: "read_only" is not a known field; did you mean "readOnly"?'],
    [{ type: "user", prompt: "go on" }, 'user: "prompt" is not a known field; did you mean "text"?'],
    [{ type: "call", tool: "ls", arg: {} }, 'call: "arg" is not a known field; did you mean "args"?'],
    [{ Type: "call", tool: "ls" }, 'observe: "Type" is not a known field; did you mean "type"?'],
    [{ type: "text" }, "text: text must be a string, got undefined"],
    [{ type: "state", name: "diff", value: 1 }, 'state: "name" is not a known field; did you mean "key"?'],
    [{ type: "state", key: "diff", value: new Opaque() }, "state: value cannot be compared"],
  ])("tells of %j", (event, message) => {
    expect(toldOf([event])[0]).toContain(`misuse: ${message}`);
  });

  it.each<[object, string]>([
    [{ stdout: "none" }, 'result: "stdout" is not a known field; did you mean "output"?'],
    [{ output: "x", isError: true }, 'result: "isError" is not a known field; did you mean "error"?'],
  ])("tells of the result %j", (fields, message) => {
    expect(toldOf([call("search", {}), { type: "result", ...fields }])[0]).toContain(`misuse: ${message}`);
  });

  it("tells of a tool whose values cannot be compared, the third time", () => {
    const args = call("search", new Opaque());
    const output = [call("search", {}), result(new Opaque())];

    expect(toldOf(times(2, [args]))).toEqual([]);
    expect(toldOf(times(9, [args]))).toEqual([expect.stringContaining("misuse: args of search cannot be compared")]);
    expect(toldOf(times(2, output))).toEqual([]);
    expect(toldOf(times(9, output))).toEqual([expect.stringContaining("misuse: output of search cannot be compared")]);
  });

  it("tells of arguments that cannot be compared at once, where the tool must not repeat", () => {
    const rules = { pay: { repeat: "never" } } as const;

    expect(toldOf([call("pay", new Opaque())], { rules })).toHaveLength(1);
  });

  it("takes results for no mistake whose calls were too many to remember, or were refused", () => {
    const parallel = (count: number) => Array.from({ length: count }, (_, at) => at);
    const many = parallel(60);
    const rules = { pay: { repeat: "never" } } as const;
    const faults: unknown[] = [];
    const guard = createGuard({ rules, onFault: (fault) => faults.push(fault) });
    for (const event of step("pay", {}, "paid")) guard.observe(event);
    for (const at of parallel(20)) guard.observe(call("pay", {}, { id: `again ${at}` }));
    for (const at of parallel(20)) guard.observe(result("", { id: `again ${at}`, synthetic: true }));

    expect(faults).toEqual([]);
    expect(
      toldOf([
        ...many.map((at) => call("look", { at }, { id: `${at}` })),
        ...many.map((at) => result(`${at}`, { id: `${at}` })),
      ]),
    ).toEqual([]);
  });

  it("tells of each mistake once", () => {
    const mistakes = [{ type: "tool_call" }, call("a", new Opaque()), call("b", new Opaque()), { type: "tool_call" }];

    expect(toldOf(Array(6).fill(mistakes).flat())).toHaveLength(3);
  });

  it("tells of at most 16 mistakes", () => {
    const opaque = Array.from({ length: 40 }, (_, at) => times(3, [call(`tool_${at}`, new Opaque())])).flat();

    expect(toldOf(opaque)).toHaveLength(16);
  });

  it("tells of rounds that are no answers: calls come one after the other in one of them", () => {
    const steps = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => step("look", { at: from + at }, `${from + at}`)).flat();

    expect(toldOf([round, ...steps(120)])).toEqual([expect.stringContaining("misuse: round: 100 calls came")]);
    expect(toldOf([round, ...steps(60), round, ...steps(60, 60)])).toEqual([]);
    expect(toldOf(steps(160))).toEqual([]);
  });

  it("tells of a clock that is not in milliseconds, and judges as without one", () => {
    const told: string[] = [];
    const guard = createGuard({ onFault: (fault) => void told.push(String(fault)) });
    const actions = Array.from({ length: 40 }, (_, at) => {
      const before = guard.observe(call("read_file", { path: "a" }, { at: at * 4e6 }));
      return before.action === "continue"
        ? guard.observe(result("same", { at: at * 4e6 + 3e5 })).action
        : before.action;
    });

    expect(told).toEqual([expect.stringContaining("at: must be milliseconds")]);
    expect(actions).toContain("nudge");
    expect(actions).toContain("block");
  });

  it("believes a clock by which an agent looks every 15 minutes, or by which every tool is slow", () => {
    const looks = (everyMs: number, tookMs: number) =>
      Array.from({ length: 30 }, (_, at) => [
        call("get_vitals", { at }, { at: at * everyMs }),
        result(`${at}`, { at: at * everyMs + tookMs }),
      ]).flat();

    expect(toldOf(looks(900_000, 500))).toEqual([]);
    expect(toldOf(looks(120_000, 100_000))).toEqual([]);
  });

  it("tells of an identity that names no argument of a call, at once if it must not be made twice", () => {
    const pay = (order: number) => step("pay", { order }, "paid");
    const rule = (identity: readonly string[]) => ({ rules: { pay: { repeat: "never", identity } } }) as const;

    expect(toldOf([...pay(1), ...pay(2)], rule(["ordr"]))).toEqual([
      `misuse: rules["pay"].identity: the call has no ordr, so all of its arguments are compared`,
    ]);
    expect(toldOf([...pay(1), ...pay(2)], rule(["order", "note"]))).toEqual([]);
  });

  it("lets events have fields of their own", () => {
    expect(
      toldOf([{ ...call("a", {}), note: 1, x: 2, source: "log" }, result("x"), { type: "user", meta: {} }]),
    ).toEqual([]);
  });

  it("takes null for what is not told", () => {
    expect(
      toldOf([
        { ...call("a", {}), at: null },
        { type: "result", output: "x", error: null, at: null },
      ]),
    ).toEqual([]);
  });

  it("tells of results whose ids fit no call, if none ever fits", () => {
    const unpaired = (count: number) =>
      Array.from({ length: count }, (_, at) => [
        call("search", { at }, { id: `a${at}` }),
        result("none", { id: `b${at}` }),
      ]).flat();

    expect(toldOf(unpaired(3))).toEqual([expect.stringContaining("misuse: result: no call has this id")]);
    expect(toldOf(unpaired(2))).toEqual([]);
    expect(toldOf([...step("look", {}, "x"), ...unpaired(9)])).toEqual([]);
    expect(toldOf([...step("look", {}, "x"), ...unpaired(12)])).toHaveLength(1);
  });

  it("expects no call for the result of a tool that it ignores", () => {
    const ignored = Array.from({ length: 9 }, (_, at) => step("ls", { at }, "x", { id: `${at}` })).flat();

    expect(toldOf(ignored, { rules: { ls: { ignore: true } } })).toEqual([]);
  });

  it.each(["ignore", "identity"] as const)("tells of a rule whose %s answers later", (name) => {
    const rules = { search: { [name]: async () => true } } as unknown as GuardOptions["rules"];

    expect(toldOf([call("search", { q: "x" }), result("none")], { rules: rules! })).toEqual([
      `misuse: rules["search"].${name}: an answer at once is required, got a promise`,
    ]);
  });

  it("tells nothing of well-formed events, nor of what it is only asked about", () => {
    const told: unknown[] = [];
    const guard = createGuard({ onFault: (fault) => told.push(fault) });
    guard.peek({ type: "tool_call" } as never);
    for (let at = 0; at < 5; at++) guard.peek(call("a", new Opaque()));
    for (const event of step("search", { q: "x" }, { rows: [] }, { at: 5, error: false })) guard.observe(event);

    expect(told).toEqual([]);
  });
});
