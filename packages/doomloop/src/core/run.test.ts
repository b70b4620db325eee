import { describe, expect, it } from "vitest";
import {
  call,
  failure,
  judgedBy,
  judgedIn,
  latestIn,
  newRun,
  result,
  round,
  step,
  takeCall,
  text,
  times,
  user,
} from "../../../../test/builders.ts";
import { platform } from "../platform.ts";
import { pack, unpack } from "./collections/pack.ts";
import type { AgentEvent } from "./event.ts";
import { type RunState, settle } from "./memory/run-state.ts";
import { resolveProgress } from "./progress/progress-options.ts";
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
      "user",
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
      run.refuse(takeCall(run, look[0]!));
      return run.take(output).kind;
    };

    expect(refusing(result("not run", { synthetic: true }))).toBe("nothing");
    expect(refusing(result("export const a = 1;"))).toBe("step");
  });

  it("is nothing for a call that was cancelled before it began", () => {
    expect(kinds(newRun(), [look[0]!, failure("Tool call was cancelled")])).toEqual(["call", "nothing"]);
    expect(kinds(newRun(), [look[0]!, failure("no such file")])).toEqual(["call", "step"]);
  });

  it("is nothing for a call that the host says was cancelled, whatever came of it", () => {
    expect(kinds(newRun(), [look[0]!, result("no such file", { cancelled: true })])).toEqual(["call", "nothing"]);
    expect(kinds(newRun(), [look[0]!, result("no such file", { cancelled: false })])).toEqual(["call", "step"]);
  });

  it("is nothing for an ignored call", () => {
    expect(kinds(newRun({ tools: { read_file: { ignore: true } } }), look)).toEqual(["nothing", "nothing"]);
  });
});

describe("rounds", () => {
  const roundsOf = (events: readonly AgentEvent[]): number[] =>
    judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ step: { round: own } }) => own);

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
    const judged = judgedBy(newRun(), times(3, [call("read_file", { path: "a.ts" })]));

    expect(judged).toHaveLength(3);
    expect(judged[2]).toMatchObject({ blindness: "inferred", exact: { count: 3, strength: "blind" } });
  });

  it("is judged by its steps as soon as a result comes", () => {
    const run = newRun();
    for (const event of [...times(3, [call("read_file", { path: "a.ts" })]), result("a"), call("list_files")])
      run.take(event);

    expect(judgedIn(run.take(call("read_file", { path: "a.ts" })))).toBeUndefined();
    expect(judgedIn(run.take(result("a")))?.exact.count).toBe(1);
  });

  it("notices equal calls that share one id, since none of them is answered", () => {
    const clicks = times(4, [call("click", { on: "Next" }, { id: "click" })]);

    expect(latestIn(clicks, { progress: { seesResults: false } }).exact.count).toBe(4);
  });

  it("is not waited for where the host says that there are none", () => {
    const run = newRun({ progress: { seesResults: false } });

    expect(judgedIn(run.take(look[0]!))?.blindness).toBe("known");
  });

  it("is not judged by its calls where the host says that results come", () => {
    const run = newRun({ progress: { seesResults: true } });

    expect(judgedIn(run.take(look[0]!))).toBeUndefined();
  });
});

describe("saving a run", () => {
  it("gives data from which another run goes on", () => {
    const run = newRun();
    for (const event of times(3, look)) run.take(event);
    settle(run.state);
    const { calls, round: rounds, turn } = run.state;
    const saved = unpack(JSON.parse(JSON.stringify(pack(run.state, [calls, rounds, turn])))) as RunState;
    const resumed = createRun({ progress: resolveProgress(), ruleOf: () => ({}), platform, streams: {} }, saved);

    expect(judgedBy(resumed, look).at(-1)?.exact).toMatchObject({
      count: 4,
      indices: [0, 1, 2, 3],
      strength: "exact",
      reason: undefined,
      passed: [],
    });
  });

  it.each([undefined, true, false])(
    "leaves no words of arguments, outcomes and ids in it: seesResults %j",
    (seesResults) => {
      const run = newRun({ progress: seesResults === undefined ? {} : { seesResults } });
      const secrets = [
        call("get_record", { name: "secret" }, { id: "secret" }),
        ...step("get_record", { name: "secret name" }, "a secret answer"),
        call("bash", { command: "cat secret.txt" }, { id: "secret" }),
        call("write_file", { path: "secret.txt", content: "a secret" }),
      ];
      for (const event of secrets) {
        run.take(event);
        settle(run.state);

        expect(JSON.stringify(pack(run.state))).not.toContain("secret");
      }
    },
  );
});
