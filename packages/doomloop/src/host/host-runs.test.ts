import { createGuard, type Decision, type Guard, type GuardOptions, type Snapshot } from "doomloop";
import { describe, expect, it } from "vitest";
import type { LoopStop } from "./host-options.ts";
import type { HostRun } from "./host-run.ts";
import { createHostRuns } from "./host-runs.ts";

const ABILITIES = { nudge: "result", block: true, stop: "clean" } as const;

/** Whether the run has something to say after this many laps. */
function speaks(run: HostRun, laps: number): boolean {
  let words: string | undefined;
  for (let at = 0; at < laps; at++) {
    run.round();
    const { id } = run.call({ tool: "read_file", args: { path: "a.ts" } });
    words = run.result({ id, output: "text" });
  }
  return words !== undefined;
}

describe("the runs of a host", () => {
  it("are found by their key, a text or an object", () => {
    const runs = createHostRuns({}, ABILITIES);
    const thread = {};

    expect(runs.of("a")).toBe(runs.of("a"));
    expect(runs.of(thread)).toBe(runs.of(thread));
    expect(runs.of({})).not.toBe(runs.of({}));
  });

  it("are forgotten when they end", () => {
    const runs = createHostRuns({}, ABILITIES);
    const thread = {};
    const [text, object] = [runs.of("a"), runs.of(thread)];
    runs.end("a");
    runs.end(thread);

    expect(runs.of("a")).not.toBe(text);
    expect(runs.of(thread)).not.toBe(object);
  });

  it("are at most a thousand; the least recently used one is forgotten", () => {
    const runs = createHostRuns({}, ABILITIES);
    const [first, second] = [runs.of("0"), runs.of("1")];
    for (let at = 2; at < 1000; at++) runs.of(String(at));
    runs.of("0");
    runs.of("1000");

    expect(runs.of("0")).toBe(first);
    expect(runs.of("1")).not.toBe(second);
  });

  it("report the end of a run with its key", () => {
    const keys: unknown[] = [];
    const runs = createHostRuns({ ladder: ["stop"], onStop: ({ run }) => void keys.push(run) }, ABILITIES);
    speaks(runs.of("thread-1"), 3);

    expect(keys).toEqual(["thread-1"]);
  });

  it("read what the user asked for once a turn, and again where a second opinion hears it", () => {
    const heard: string[] = [];
    const attach = <Watched extends object>(guard: Watched) => ({
      ...guard,
      hearRequest: (text: string) => void heard.push(text),
    });
    let reads = 0;
    const ask = (run: HostRun): void => {
      run.asked(() => `request ${++reads}`);
      run.round();
      run.asked(() => `request ${++reads}`);
    };
    ask(createHostRuns({}, ABILITIES).start());
    const readsWithout = reads;
    ask(createHostRuns({ secondOpinion: { questions: 1, attach } }, ABILITIES).start());

    expect(readsWithout).toBe(1);
    expect(heard).toEqual(["request 2", "request 3"]);
  });

  it("are one run if a guard was passed in, with one end and the same words for every key", () => {
    const stops: LoopStop[] = [];
    const guard = createGuard({ levels: { told: 3, refused: 5, ended: 6 } });
    const runs = createHostRuns({ guard, onStop: (stop) => void stops.push(stop) }, ABILITIES);
    speaks(runs.of("a"), 2);
    runs.of({}).hold("[doomloop] held");

    expect(speaks(runs.start(), 1)).toBe(true);
    speaks(runs.of("b"), 5);
    expect(stops).toHaveLength(1);
    expect([runs.start(), runs.of("a"), runs.of({})].map((run) => run.stopped())).toEqual(Array(3).fill(stops[0]));
    runs.of("a").user();
    expect(runs.of("b").stopped()).toBeUndefined();
  });

  it("give calls without an id different ids, even if several runs share a guard", () => {
    const runs = createHostRuns({ guard: createGuard() }, ABILITIES);

    expect(runs.of("a").call({ tool: "x" }).id).not.toBe(runs.of("b").call({ tool: "x" }).id);
  });

  it("report an unreadable snapshot once, and start fresh", () => {
    const faults: unknown[] = [];
    const snapshot = { version: "none" } as unknown as Snapshot;
    const runs = createHostRuns({ snapshot, onFault: (fault) => void faults.push(fault) }, ABILITIES);

    expect(speaks(runs.start(), 3)).toBe(true);
    expect(faults).toHaveLength(1);
  });

  it("are not watched if no guard can be created, and report that once", () => {
    const faults: unknown[] = [];
    const ladder: "nudge"[] = ["nudge"];
    const runs = createHostRuns({ ladder, onFault: (fault) => void faults.push(fault) }, ABILITIES);
    runs.start();
    ladder.length = 0;

    expect([runs.start(), runs.start()].map((run) => speaks(run, 9))).toEqual([false, false]);
    expect(faults).toHaveLength(1);
  });
});

describe("mistakes of a host", () => {
  const toldOf = (act: (onFault: (fault: unknown) => void) => void): string[] => {
    const told: string[] = [];
    act((fault) => void told.push(`${fault}`));
    return told;
  };

  it.each<[object, string]>([
    [{ onStpo: () => undefined }, "onStpo: there is no such option; did you mean onStop?"],
    [{ treshold: 3 }, "treshold: there is no such option; one of preset,"],
    [{ ladder: "nudge" }, 'ladder: a list of strings is required, got "nudge"'],
    [{ guard: {} }, "guard: a guard is required, got object"],
    [{ questions: 3 }, "questions: secondOpinion is required with it, because nobody answers here"],
    [{ counts: { repeats: 3 } }, "counts: createCountingGuard of doomloop/counting is required, got an object"],
  ])("are rejected when the adapter is wired: %j", (options, message) => {
    expect(() => createHostRuns(options, ABILITIES)).toThrow(message);
  });

  it("are reported: a guard that several runs share", () => {
    const shared = (keys: readonly string[]) =>
      toldOf((onFault) => {
        const runs = createHostRuns({ guard: createGuard(), onFault }, ABILITIES);
        for (const key of keys) runs.of(key);
      });

    expect(shared(["a", "b", "c"])).toEqual([expect.stringContaining("one guard watches one run")]);
    expect(shared(["a", "a"])).toEqual([]);
  });

  it("are reported: options beside a guard that has its own", () => {
    expect(
      toldOf((onFault) => createHostRuns({ guard: createGuard(), preset: "aggressive", onFault }, ABILITIES)),
    ).toEqual([expect.stringContaining("preset: this option is ignored, because guard has its own options")]);
  });
});

describe("the option createGuard", () => {
  it("creates the guard of each run in which something happens, from the guard's options and the run's key", () => {
    const made: unknown[] = [];
    const options = { preset: "conservative", attended: true } as const;
    const create = (given: GuardOptions, run: string | undefined): Guard => {
      made.push([given, run]);
      return createGuard(given);
    };
    const runs = createHostRuns({ ...options, createGuard: create, onStop: () => undefined }, ABILITIES);
    runs.start();
    runs.of("quiet").stopped();
    for (const run of [runs.of("a"), runs.start(), runs.of("a")]) speaks(run, 2);

    const given = { ...options, onFault: expect.any(Function) };
    expect(made).toEqual([
      [given, "a"],
      [given, undefined],
    ]);
  });

  it("replaces our guards", () => {
    const nudge: Decision = { action: "nudge", message: "[doomloop] of my own" };
    const create = (): Guard => ({ ...createGuard(), observe: () => nudge });
    const run = createHostRuns({ createGuard: create }, ABILITIES).start();

    expect(run.result({ id: run.call({ tool: "x" }).id, output: "" })).toBe(
      "[doomloop] of my own\n\n[doomloop] of my own",
    );
  });

  it("is not called if a guard was passed in", () => {
    const create = (): never => {
      throw new Error("not to be asked");
    };
    const runs = createHostRuns({ guard: createGuard(), createGuard: create }, ABILITIES);

    expect(speaks(runs.start(), 3)).toBe(true);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["returns nothing", () => undefined as unknown as Guard],
    ["returns something that is not a guard", () => ({}) as Guard],
  ])("that %s leaves runs unwatched, and is reported once", (_what, create) => {
    const faults: unknown[] = [];
    let asked = 0;
    const counted = (): Guard => {
      asked++;
      return create();
    };
    const runs = createHostRuns({ createGuard: counted, onFault: (fault) => void faults.push(fault) }, ABILITIES);

    expect([runs.start(), runs.start()].map((run) => speaks(run, 9))).toEqual([false, false]);
    expect(faults).toHaveLength(1);
    expect(asked).toBe(2);
  });
});
