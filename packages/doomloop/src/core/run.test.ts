import { describe, expect, it } from "vitest";
import {
  call,
  failure,
  newRun,
  result,
  round,
  seenStepsOf,
  step,
  stepsOf,
  text,
  times,
  user,
} from "../../../../test/builders.ts";
import { pack, unpack } from "./collections/pack.ts";
import type { AgentEvent } from "./event.ts";
import { settleIds } from "./reading/open-calls.ts";
import type { OpenCall, RunMemory } from "./reading/run-memory.ts";
import { afterGap, type Run } from "./run.ts";

const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
const kinds = (run: Run, events: readonly AgentEvent[]): string[] => events.map((event) => run.take(event).kind);

/** Takes a call, and gives it as it is before its result. */
function openIn(run: Run, event: AgentEvent): OpenCall {
  const effect = run.take(event);
  if (effect.kind !== "call") throw new Error("no call");
  return effect.open;
}

describe("what an event comes to", () => {
  it("is a call, then a step", () => {
    expect(kinds(newRun(), look)).toEqual(["call", "step"]);
  });

  it("is nothing for a result that belongs to no call, and for what is no event", () => {
    expect(kinds(newRun(), [result("x"), { type: "else" } as never])).toEqual(["nothing", "nothing"]);
    expect(kinds(newRun(), [{ type: "compaction" }, user("x")])).toEqual(["compaction", "user"]);
  });

  it("is nothing for our own words", () => {
    expect(kinds(newRun(), [user("Look."), user("[doomloop] This exact call failed 3 times.")])).toEqual([
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

  it("is a measure of the host's, with what it says", () => {
    const state = (value: unknown): AgentEvent => ({ type: "state", key: "diff", value });

    const run = newRun();

    expect([1, 1, 2, 1].map((value) => run.take(state(value)))).toMatchObject(
      ["first", "same", "new", "known"].map((value) => ({ kind: "measure", value })),
    );
  });

  it("is nothing for the result that stands for a call which we refused, and a step for what it came to all the same", () => {
    const refusing = (output: AgentEvent) => {
      const run = newRun({ hasResults: true });
      run.refuse(openIn(run, look[0]!));
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
    expect(kinds(newRun({ rules: { read_file: { ignore: true } } }), look)).toEqual(["nothing", "nothing"]);
  });
});

describe("rounds", () => {
  const roundsOf = (events: readonly AgentEvent[]): number[] =>
    seenStepsOf(events).map(({ step: { round: own } }) => own);

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
  const ask = call("read_file", { path: "a.ts" });

  it("is judged by its calls, each in a round of its own", () => {
    const judged = stepsOf(times(3, [ask]));

    expect(judged.map(({ step: { round: own, outcome } }) => [own, outcome])).toEqual([
      [0, "unseen"],
      [1, "unseen"],
      [2, "unseen"],
    ]);
  });

  it("is judged by its steps as soon as a result comes", () => {
    const judged = stepsOf([...times(3, [ask]), result("a"), call("list_files"), ask, result("a")]);

    expect(judged.slice(3)).toMatchObject([
      { text: "a", repeats: 1 },
      { text: "a", repeats: 1 },
    ]);
  });
});

describe("saving a run", () => {
  it.each([true, false])("leaves no words of arguments, outcomes and ids in it: hasResults %j", (hasResults) => {
    const run = newRun({ hasResults });
    const secrets = [
      user("a secret request about a secret"),
      call("get_record", { name: "secret" }, { id: "secret" }),
      ...step("get_record", { name: "secret name" }, "a secret answer"),
      call("bash", { command: "cat secret.txt" }, { id: "secret" }),
      call("write_file", { path: "secret.txt", content: "a secret" }),
      call("execute", { server: "s", tool: "secret tool", params: { a: 1 } }),
      { type: "text", text: "secret words", partial: true },
      { type: "state", key: "secret key", value: "a secret" },
    ] as const;
    for (const event of secrets) {
      run.take(event);
      settleIds(run.memory);

      expect(JSON.stringify(pack(run.memory))).not.toContain("secret");
    }
  });

  it("gives plain data", () => {
    const run = newRun();
    for (const event of [user("Look."), ...times(3, look), text("It is there.")]) run.take(event);
    settleIds(run.memory);
    const saved = unpack(JSON.parse(JSON.stringify(pack(run.memory)))) as RunMemory;

    expect(JSON.stringify(pack(saved))).toBe(JSON.stringify(pack(run.memory)));
  });
});

describe("missed events", () => {
  it("leave no evidence, but what was asked for", () => {
    const run = newRun();
    for (const event of [user("Look at it 12 times."), ...times(3, look)]) run.take(event);
    const after = afterGap(run.memory);

    expect(after).toMatchObject({ calls: 3, from: 3, request: { orders: [{ times: 12 }] }, latest: [] });
  });
});
