import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { createHostRun } from "./create-host-run.ts";
import { createLateResults } from "./late-results.ts";

const NPM_TEST = { tool: "bash", args: '{"command":"npm test"}' };
const INBOX = { tool: "check_inbox", args: "{}" };

describe("the time of a result that is reported with the next request", () => {
  /** The estimated time of the result: when it was reported, or when its call was made. */
  const timeOf = (call: { tool: string; args: string }, tookMs: number, earlier?: { tool: string; args: string }) => {
    const late = createLateResults();
    if (earlier !== undefined) {
      late.noteCall("before", earlier, 0);
      late.timeOf("before", 100);
    }
    late.noteCall("c1", call, 1_000);
    return late.timeOf("c1", 1_000 + tookMs) === 1_000 ? "when it was called" : "when it was reported";
  };

  it("is when it was reported, if a tool may be slow", () => {
    expect(timeOf(NPM_TEST, 20_000)).toBe("when it was reported");
  });

  it("is when the call was made, if a look is followed by a pause", () => {
    expect(timeOf(INBOX, 30_000)).toBe("when it was called");
    expect(timeOf({ tool: "read_file", args: '{"path":"a.log"}' }, 30_000)).toBe("when it was called");
  });

  it("is when it was reported, if the program continued at once after another tool", () => {
    expect(timeOf(INBOX, 30_000, NPM_TEST)).toBe("when it was reported");
    expect(timeOf(INBOX, 30_000, INBOX)).toBe("when it was called");
  });

  it("does not depend on numbers in the arguments", () => {
    for (const limit of [10, 30])
      expect(timeOf({ tool: "read_file", args: `{"path":"a.log","limit":${limit}}` }, 30_000)).toBe(
        "when it was called",
      );
  });

  it("is when it was reported, if the call is unknown", () => {
    expect(createLateResults().timeOf("unknown", 7)).toBe(7);
  });
});

describe("a run whose results are reported with the next request", () => {
  interface Lap {
    readonly tool: string;
    readonly args: object;
    readonly output: string;
    readonly tookMs: number;
    /** How long the program sleeps before its next request. */
    readonly sleptMs?: number;
  }

  /** What is done at each call of a run. The model takes three seconds for an answer. */
  function play(laps: readonly Lap[], isLate: boolean): string[] {
    let at = 1_000_000;
    const run = createHostRun({
      guard: createGuard(),
      abilities: { nudge: "result", block: true, stop: "clean" },
      options: {},
      reportFault: (fault) => expect.unreachable(String(fault)),
      now: () => at,
    });
    return laps.map(({ tool, args, output, tookMs, sleptMs = 0 }) => {
      at += 3_000;
      run.round();
      const answer = run.call({ tool, args });
      if (answer.action !== "run") return answer.action;
      at += tookMs + (isLate ? sleptMs : 0);
      const words = run.result({ id: answer.id, output, isLate });
      at += isLate ? 0 : sleptMs;
      return words === undefined ? "" : "nudge";
    });
  }

  const reads = Array.from({ length: 5 }, (_, at) => ({
    tool: "read_file",
    args: { path: `${at}.ts` },
    output: `export const a${at} = ${at};`,
    tookMs: 50,
  }));
  const again = (lap: Lap, times = 30): readonly Lap[] => Array.from({ length: times }, () => lap);
  const failing = {
    tool: "bash",
    args: { command: "npm test" },
    output: "FAIL src/cart.test.ts\n  expected 3 to be 4\nTests: 1 failed, 12 passed",
    tookMs: 20_000,
  };
  const searching = { tool: "web_search", args: { query: "x" }, output: "No results.", tookMs: 20_000 };
  const polling = { tool: "check_inbox", args: {}, output: "no new messages", tookMs: 100, sleptMs: 30_000 };
  const sleeping = { tool: "bash", args: { command: "sleep 30; kubectl get pods" }, output: "api 0/1", tookMs: 30_200 };

  it.each([
    ["slow tests after quick reads", [...reads, ...again(failing)]],
    ["slow tests and nothing else", again(failing)],
    ["a slow search after quick reads", [...reads, ...again(searching)]],
    ["a loop that sleeps between looks", again(polling)],
    ["a command that sleeps before it looks", [...reads, ...again(sleeping)]],
  ])("decides as if all times were known: %s", (_name, laps) => {
    expect(play(laps, true)).toEqual(play(laps, false));
  });

  it("is nudged about slow tests at the third", () => {
    expect(play([...reads, ...again(failing)], true).indexOf("nudge")).toBe(reads.length + 2);
  });
});
