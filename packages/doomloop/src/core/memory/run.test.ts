import { describe, expect, it } from "vitest";
import { call, failure, newRun, result, round, step, text, times, user } from "../../../../../test/builders.ts";
import { platform } from "../../platform.ts";
import type { AgentEvent } from "../event.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import { createRun, type Run } from "./run.ts";

const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
const kinds = (run: Run, events: readonly AgentEvent[]): string[] => events.map((event) => run.take(event).kind);

describe("what an event comes to", () => {
  it("is a call, then a step", () => {
    expect(kinds(newRun(), look)).toEqual(["call", "step"]);
  });

  it("is nothing for a result that belongs to no call, and for what is no event", () => {
    expect(kinds(newRun(), [result("x"), { type: "compaction" }, user("x"), { type: "else" } as never])).toEqual([
      "nothing",
      "nothing",
      "nothing",
      "nothing",
    ]);
  });

  it("is an answer for whole words, and for pieces when the round ends", () => {
    const piece: AgentEvent = { type: "text", text: "I ", partial: true };

    expect(kinds(newRun(), [text("I begin."), piece, piece, round, round])).toEqual([
      "answer",
      "nothing",
      "nothing",
      "answer",
      "nothing",
    ]);
  });

  it("is a stream where words repeat", () => {
    expect(kinds(newRun(), [{ type: "reasoning", text: "I will now look at the file. ".repeat(30) }])).toEqual([
      "stream",
    ]);
  });

  it("is nothing for the result that stands for a call which we refused, and a step for what it came to all the same", () => {
    const refusing = (output: AgentEvent) => {
      const run = newRun({ progress: { seesResults: true } });
      const moved = run.take(look[0]!);
      if (moved.kind === "call") run.refuse(moved.call);
      return run.take(output).kind;
    };

    expect(refusing(result("not run", { synthetic: true }))).toBe("nothing");
    expect(refusing(result("export const a = 1;"))).toBe("step");
  });

  it("is nothing for a call that was cancelled before it began", () => {
    expect(kinds(newRun(), [look[0]!, failure("Tool call was cancelled")])).toEqual(["call", "nothing"]);
    expect(kinds(newRun(), [look[0]!, failure("no such file")])).toEqual(["call", "step"]);
  });

  it("is nothing for an ignored call", () => {
    expect(kinds(newRun({ tools: { read_file: { ignore: true } } }), look)).toEqual(["nothing", "nothing"]);
  });
});

describe("rounds", () => {
  const roundsOf = (events: readonly AgentEvent[]): number[] => {
    const run = newRun();
    return events.flatMap((event) => {
      const moved = run.take(event);
      return moved.kind === "step" ? [run.state.latest!.round] : [];
    });
  };

  it("are inferred: a call after a result begins one", () => {
    const [one, two, three] = roundsOf([
      ...look,
      call("a", {}, { id: "1" }),
      call("b", {}, { id: "2" }),
      result("x", { id: "1" }),
      result("y", { id: "2" }),
    ]);

    expect(two).toBeGreaterThan(one!);
    expect(three).toBe(two);
  });

  it("are taken as announced, once one was", () => {
    const [one, two, three] = roundsOf([round, ...look, ...look, round, ...look]);

    expect(two).toBe(one);
    expect(three).toBe(one! + 1);
  });
});

describe("a run without results", () => {
  it("is judged by its calls", () => {
    const run = newRun();

    for (const event of times(3, [call("read_file", { path: "a.ts" })])) {
      expect(run.take(event)).toMatchObject({ kind: "call", isJudged: true });
    }
    expect(run.state.latest).toMatchObject({ isBlind: true, exact: { count: 3, strength: "blind" } });
  });

  it("is judged by its steps as soon as a result comes", () => {
    const run = newRun();
    for (const event of [...times(3, [call("read_file", { path: "a.ts" })]), result("a"), call("list_files")])
      run.take(event);

    expect(run.take(call("read_file", { path: "a.ts" }))).toMatchObject({ isJudged: false });
    expect(run.state.latest?.exact.count).toBe(1);
  });

  it("notices equal calls that share one id, since none of them is answered", () => {
    const run = newRun({ progress: { seesResults: false } });
    for (const event of times(4, [call("click", { on: "Next" }, { id: "click" })])) run.take(event);

    expect(run.state.latest?.exact.count).toBe(4);
  });

  it("is not waited for where the host says that there are none", () => {
    const run = newRun({ progress: { seesResults: false } });

    expect(run.take(look[0]!)).toMatchObject({ isJudged: true });
  });

  it("is not judged by its calls where the host says that results come", () => {
    const run = newRun({ progress: { seesResults: true } });

    expect(run.take(look[0]!)).toMatchObject({ isJudged: false });
  });
});

describe("saving a run", () => {
  it("gives data from which another run goes on", () => {
    const run = newRun();
    for (const event of times(3, look)) run.take(event);
    const resumed = createRun(
      { progress: resolveProgress(), ruleOf: () => ({}), platform, streams: {}, countsTests: true },
      JSON.parse(JSON.stringify(run.save())),
    );
    for (const event of look) resumed.take(event);

    expect(resumed.state.latest?.exact).toEqual({
      count: 4,
      indices: [0, 1, 2, 3],
      strength: "exact",
      inRow: 4,
      reason: undefined,
    });
  });
});
