import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { platform } from "../platform.ts";
import type { AgentEvent } from "./event.ts";
import { HINTS, NO_HINTS } from "./hints/index.ts";
import { EMPTY } from "./memory.ts";
import { observe } from "./observe.ts";
import { createWatch } from "./watch.ts";

const ladder = { levels: { told: 3, refused: 10, ended: 20 }, hasWords: true, hasBlock: true, canEnd: true };
const terms = { changes: undefined, identity: undefined, isPoll: false, isWayOut: undefined, patienceMs: 1_800_000 };
const watchWith = (hints = HINTS) => createWatch({ hints, platform, termsOf: () => terms }, ladder);

interface Made {
  readonly tool: string;
  readonly args?: object;
  readonly output: unknown;
  readonly error?: boolean;
}

/** At which call an agent that makes these calls is told, refused and ended; it goes on whatever it hears. */
function answersTo(call: (at: number) => Made, { user = "", calls = 70, hints = HINTS } = {}): string {
  const watch = watchWith(hints);
  const first = new Map<string, number>();
  if (user !== "") watch({ type: "user", text: user });
  for (let at = 1; at <= calls && !first.has("end"); at++) {
    const { tool, args = {}, output, error } = call(at - 1);
    const note = (reply: string): void => void (first.has(reply) || first.set(reply, at));
    const { reply } = watch({ type: "call", id: `${at}`, tool, args });
    note(reply);
    if (reply === "continue") note(watch({ type: "result", id: `${at}`, output, ...(error && { error }) }).reply);
  }
  return ["nudge", "block", "end"].map((reply) => first.get(reply) ?? "-").join(" ");
}

const turn =
  (...made: readonly Made[]) =>
  (at: number): Made =>
    made[at % made.length]!;
const FILE = { tool: "read_file", args: { path: "src/parser.ts" }, output: "export const parse = () => undefined;" };
const UNKNOWN = (tool: string): Made => ({ tool, output: `Error: No such tool available: ${tool}`, error: true });
const POLICY = { tool: "get_policy", output: "Money is given back within thirty days. ".repeat(6) };

describe("a watch", () => {
  it.each<[string, string, (at: number) => Made]>([
    ["a file that is read again", "3 10 20", turn(FILE)],
    ["a search that finds nothing", "3 10 20", turn({ tool: "grep", args: { pattern: "x" }, output: "" })],
    [
      "a failing edit",
      "3 10 20",
      turn({ tool: "edit_file", args: { path: "a.ts", old: "x" }, output: "not found", error: true }),
    ],
    [
      "the same text, written again",
      "3 10 20",
      turn({ tool: "write_file", args: { path: "a.md", content: "one" }, output: "ok" }),
    ],
    ["the same passing test", "4 11 21", turn({ tool: "run_tests", output: "14 tests passed in 2.1s" })],
    ["a tool that does not exist", "3 10 20", turn(UNKNOWN("open_parser"))],
    ["three such tools in turn", "3 10 20", turn(UNKNOWN("open_parser"), UNKNOWN("show_parser"), UNKNOWN("view"))],
    ["two files in turn", "5 12 22", turn(FILE, { ...FILE, args: { path: "src/lexer.ts" }, output: "const lex = 1;" })],
    ["a click that does nothing", "21 40 55", turn({ tool: "click", args: { ref: "e5" }, output: "Clicked" })],
  ])("answers %s at %s", (_, answers, call) => {
    expect(answersTo(call)).toBe(answers);
  });

  it.each([
    "Make sure every test passes before you finish.",
    "A load test with 100 runs found it.",
    "git push has failed 15 times; find out why, and let me know when it works.",
  ])("answers a plain loop as soon under the request %j", (user) => {
    expect(answersTo(turn(FILE), { user })).toBe("3 10 20");
  });

  it("lets the user order a number of calls", () => {
    expect(answersTo(turn(FILE), { user: "Read src/parser.ts 30 times.", calls: 30 })).toBe("- - -");
  });

  it.each<[string, (at: number) => Made]>([
    ["pages of a list", (at) => ({ tool: "list", args: { page: at }, output: `Ada ${at}\nBob ${at}\nCy ${at}` })],
    [
      "a queue whose receipts count",
      (at) =>
        [
          { tool: "get_order", args: { id: at }, output: { id: at, status: "paid" } },
          POLICY,
          { tool: "refund_order", args: { id: at }, output: "ok" },
        ][at % 3]!,
    ],
    ["a table that is filled", (at) => ({ tool: "add_row", args: { name: `row ${at}` }, output: "added" })],
  ])("leaves alone %s", (_, call) => {
    expect(answersTo(call, { user: "Work through the list." })).toBe("- - -");
  });

  it("ends every plain loop without a word of any language, too", () => {
    for (const made of [FILE, UNKNOWN("open_parser"), POLICY]) {
      const [, , ended] = answersTo(turn(made), { hints: NO_HINTS }).split(" ");
      expect(Number(ended)).toBeLessThanOrEqual(60);
    }
  });

  it("takes anything for an event, and answers equal runs alike", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom("ok", "[]", "0"));
    const value = fc.oneof(text, fc.anything({ maxDepth: 3 }));
    const event = fc.oneof(
      fc.record({ type: fc.constant("call"), id: fc.constantFrom("a", "b"), tool: text, args: value, at: fc.nat() }),
      fc.record({ type: fc.constant("result"), id: fc.constantFrom("a", "b"), output: value, error: fc.boolean() }),
      fc.record({ type: fc.constantFrom("user", "text", "round", "compaction", "nonsense"), text }),
    );
    const property = fc.property(
      fc.array(event, { maxLength: 60 }),
      fc.constantFrom(HINTS, NO_HINTS),
      (events, hints) => {
        const replies = () => {
          const watch = watchWith(hints);
          return events.map((each) => watch(each as AgentEvent).reply);
        };
        expect(replies()).toEqual(replies());
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("observe", () => {
  it("changes no memory", () => {
    const frozen = <Value>(value: Value): Value => {
      if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
        Object.freeze(value);
        Object.values(value).forEach(frozen);
      }
      return value;
    };
    const watch = watchWith();
    let memory = EMPTY;
    for (let at = 0; at < 40; at++) {
      watch({ type: "call", id: "1", tool: "read_file", args: { path: "a.ts" } });
      const { all, memory: next } = watch({ type: "result", id: "1", output: "text" });
      memory = frozen(next);
      expect(all?.length ?? 0).toBeGreaterThanOrEqual(0);
    }

    expect(observe(memory, { kind: "turn" }, ladder)).toEqual(observe(memory, { kind: "turn" }, ladder));
  });
});
