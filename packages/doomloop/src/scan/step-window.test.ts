import { describe, expect, it } from "vitest";
import { createStepRoom, createStepWindow, type StepWindow } from "./step-window.ts";

const BOUND = 3_000;

/** Makes calls `from` up to, but not including, `to`, each with a result. */
function make(window: StepWindow, from: number, to: number, output = "ok"): void {
  for (let index = from; index < to; index++) {
    window.call(index, { type: "call", id: `c${index}`, tool: "read", args: { path: `${index}.ts` } }, undefined);
    window.result(index, { type: "result", id: `c${index}`, output });
  }
}

const create = (facts: Partial<Parameters<typeof createStepWindow>[0]> = {}) =>
  createStepWindow({ keepsAll: false, includesContent: false, ...facts });
const callsOf = (window: StepWindow) => window.finish().map(({ call }) => call);
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

describe("the steps of a run with a loop", () => {
  it("are all kept, even those long before and after the loop", () => {
    const window = create();
    make(window, 0, 900);
    window.keep(890, 899);
    make(window, 900, 1_500);

    expect(callsOf(window)).toEqual(upTo(1_500));
  });

  it("are kept up to the limit: the first ones, and those around the loop wherever it is", () => {
    const window = create();
    make(window, 0, 5_000);
    window.keep(4_990, 4_999);
    make(window, 5_000, 6_000);
    const calls = callsOf(window);

    expect(calls.length).toBe(BOUND);
    expect(calls.slice(0, 2_900)).toEqual(upTo(2_900));
    expect(calls.filter((call) => call > 4_900)).toEqual(upTo(5_006).slice(4_984));
  });

  it("have content up to the limit, and are kept without content after that", () => {
    const window = create({ includesContent: true });
    make(window, 0, 1_000, "x".repeat(9_000));
    window.keep(0, 999);
    const steps = window.finish();

    expect(steps.length).toBe(1_000);
    expect(steps[0]).toMatchObject({ arguments: '{"path":"0.ts"}', output: "x".repeat(4_000) });
    expect(steps.filter(({ output }) => output !== undefined).length).toBeLessThan(700);
    expect(steps.at(-1)).toMatchObject({ label: "read 999.ts", isFailing: false });
    expect(steps.at(-1)).not.toHaveProperty("output");
  });
});

describe("the memory limit that open runs share", () => {
  it("changes nothing in the steps: those that are kept as they came are described like the others", () => {
    const kinds: readonly unknown[] = [{ path: "a.ts" }, { todos: [{ text: "b" }] }, "ls -l", undefined, 7];
    const outputs: readonly unknown[] = ["ok", "Error: no such file", "x".repeat(700), { rows: [1, 2] }];
    const play = (rawLeft: number) => {
      const window = create({ stepRoom: { ...createStepRoom(), rawLeft } });
      for (let index = 0; index < 400; index++) {
        const [args, output] = [kinds[index % kinds.length], outputs[index % outputs.length]];
        window.call(index, { type: "call", id: `c${index}`, tool: "bash", args }, index * 1_000);
        if (index % 7 > 0) window.result(index, { type: "result", id: `c${index}`, output });
      }
      window.keep(390, 399);
      return window.finish();
    };

    expect(play(0)).toHaveLength(400);
    for (const rawLeft of [1_000, 50_000, 6_000_000]) expect(play(rawLeft)).toEqual(play(0));
  });

  it("limits what they keep without a loop, and is released when they end", () => {
    const stepRoom = createStepRoom();
    const whole = { ...stepRoom };
    const runs = Array.from({ length: 40 }, () => create({ stepRoom }));
    for (const run of runs) make(run, 0, 4_000);
    const late = create({ stepRoom });
    make(late, 0, 400);

    expect(stepRoom.left).toBeLessThanOrEqual(0);
    late.keep(390, 399);
    expect(callsOf(late)[0]).toBeGreaterThan(300);
    for (const run of runs) run.drop();
    expect(stepRoom).toEqual(whole);
  });
});
