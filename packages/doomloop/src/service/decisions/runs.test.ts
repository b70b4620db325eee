import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { SentEvent } from "./events-request.ts";
import { readPolicies } from "./policies.ts";
import { type RunStore, watchStore } from "./run-store.ts";
import { createRuns, type Observed, type RunsOptions } from "./runs.ts";

function runsWith({ store, ...options }: Partial<Omit<RunsOptions, "store">> & { readonly store?: RunStore } = {}) {
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => void faults.push(fault);
  const clock = { now: 1_000_000 };
  const runs = createRuns({
    policies: readPolicies(),
    now: () => clock.now,
    onFault,
    store: store && watchStore(store, onFault),
    ...options,
  });
  return { runs, faults, clock };
}

/** One call with its result, as clients send them. */
function lap(at: number): SentEvent[] {
  return [
    { type: "call", id: `c${at}`, tool: "read_file", args: { path: "a.ts" }, seq: 2 * at },
    { type: "result", id: `c${at}`, output: "the same text as before", seq: 2 * at + 1 },
  ];
}

/** Takes many times as long as others may be kept waiting. */
const LONG = Array.from({ length: 1000 }, (_, at): SentEvent => ({ type: "user", text: `${at} words`.repeat(500) }));

const actions = ({ decisions }: Observed): string[] => decisions.map(({ action }) => action);

/** A store in memory. */
function memoryStore(): RunStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    load: async (run) => texts.get(run),
    save: async (run, text) => texts.set(run, text),
    forget: async (run) => void texts.delete(run),
  };
}

describe("the runs of a service", () => {
  it("are judged apart", async () => {
    const { runs } = runsWith();
    for (let at = 0; at < 2; at++) {
      for (const run of ["a", "b"])
        expect(actions(await runs.observe(run, { events: lap(at) }))).not.toContain("nudge");
    }

    expect(actions(await runs.observe("a", { events: lap(2) }))).toEqual(["continue", "nudge"]);
    expect((await runs.standing("b"))?.told).toBe(false);
    expect(await runs.standing("a")).toMatchObject({ run: "a", policy: "balanced", events: 6, told: true, stop: null });
  });

  it("are told again before anything is refused, if they were warned before an outage", async () => {
    const { runs } = runsWith();
    const play = async (from: number, to: number, untold = false) => {
      const said: string[] = [];
      for (let at = from; at < to; at++) {
        const [made, came] = lap(at).map((event) => ({ ...event, untold }));
        const [before] = (await runs.observe("a", { events: [made!] })).decisions;
        const isRun = before?.action === "continue" || before?.action === "nudge";
        const answer = { ...came!, ...(!isRun && { synthetic: true }) } as SentEvent;
        const [after] = (await runs.observe("a", { events: [answer] })).decisions;
        said.push(before?.action === "continue" ? after!.action : before!.action);
      }
      return said.filter((action) => action !== "continue");
    };

    expect(await play(0, 6)).toEqual(["nudge", "nudge"]);
    expect(await play(6, 16, true)).toEqual([]);
    const said = await play(16, 40);
    expect(said.slice(0, 2)).toEqual(["nudge", "nudge"]);
    expect(said).toContain("stop");
    // A service that comes and goes does not hold up the end of a loop for good.
    await runs.observe("a", { events: [{ type: "user" }] });
    const unsteady: string[] = [];
    for (let at = 40; at < 200; at += 4)
      unsteady.push(...(await play(at, at + 1, true)), ...(await play(at + 1, at + 4)));
    expect(unsteady).toContain("stop");
  });

  it("count nothing across events that a client has lost", async () => {
    const { runs } = runsWith();
    const gap = (seq: number) => ({ type: "state", key: "missed-events", seq }) as SentEvent;
    for (let at = 0; at < 12; at++)
      expect(actions(await runs.observe("a", { events: [...lap(3 * at), gap(6 * at + 2)] }))).not.toContain("nudge");
  });

  it("are judged in order, though a long request takes turns with others", async () => {
    const judged: string[] = [];
    const { runs } = runsWith({ onDecision: (run) => void judged.push(run) });
    const begun = runs.observe("a", { events: LONG });
    const [next, other] = [runs.observe("a", { events: lap(0) }), runs.observe("b", { events: lap(0) })];
    await other;
    expect(judged.filter((run) => run === "a").length).toBeLessThan(1000);

    expect((await begun).decisions).toHaveLength(1000);
    expect((await next).decisions).toHaveLength(2);
    expect(judged.lastIndexOf("a")).toBe(1003);
    expect(judged.indexOf("b")).toBeLessThan(1000);
  });

  it("are forgotten for good, though a long request is under way", async () => {
    const { runs } = runsWith();
    const begun = runs.observe("a", { events: LONG });
    await nextRound();
    await runs.forget("a");
    await begun;

    expect(await runs.standing("a")).toBeUndefined();
  });

  it("do not count an event again that is sent again, and answer it as before", async () => {
    const { runs } = runsWith();
    for (let at = 0; at < 2; at++) await runs.observe("a", { events: lap(at) });
    const first = await runs.observe("a", { events: lap(2) });
    for (let again = 0; again < 10; again++) expect(await runs.observe("a", { events: lap(2) })).toEqual(first);

    expect((await runs.standing("a"))?.events).toBe(6);
  });

  it("judge an event that comes late once, and not at all what is older than they remember", async () => {
    const { runs } = runsWith();
    const [call, result] = lap(0) as [SentEvent, SentEvent];
    await runs.observe("a", { events: [result] });
    await runs.observe("a", { events: [call] });
    await runs.observe("a", { events: [call] });
    expect((await runs.standing("a"))?.events).toBe(2);
    await runs.observe("a", {
      events: Array.from({ length: 80 }, (_, at): SentEvent => ({ type: "round", seq: 100 + at })),
    });

    expect(actions(await runs.observe("a", { events: [call, result] }))).toEqual(["continue", "continue"]);
    expect((await runs.standing("a"))?.events).toBe(82);
  });

  it("go on where the user says so", async () => {
    const { runs, clock } = runsWith();
    for (let at = 0; at < 40; at++) {
      clock.now += 5_000;
      await runs.observe("a", { events: lap(at) });
    }
    const ended = await runs.standing("a");
    await runs.observe("a", { events: [{ type: "user", text: "go on" }] });

    expect(ended?.stop).not.toBeNull();
    expect((await runs.standing("a"))?.stop).toBeNull();
  });

  it("go on after their loop was allowed", async () => {
    const { runs } = runsWith();
    for (let at = 0; at < 3; at++) await runs.observe("a", { events: lap(at) });
    const loop = await runs.allow("a", undefined);

    expect(loop).toMatch(/^[0-9a-f]{32}$/);
    for (let at = 3; at < 30; at++)
      expect(actions(await runs.observe("a", { events: lap(at) }))).toEqual(["continue", "continue"]);
  });

  it("can be told only of loops that they have found", async () => {
    const store = memoryStore();
    const { runs } = runsWith({ store });
    await runs.observe("a", { events: lap(0) });
    expect(await runs.allow("a", undefined)).toBeUndefined();
    expect(await runs.allow("a", "0".repeat(32))).toBeUndefined();
    await expect(runs.allow("b", undefined)).rejects.toMatchObject({ status: 404 });

    for (let at = 1; at < 3; at++) await runs.observe("a", { events: lap(at) });
    await runs.saveAll();
    const other = runsWith({ store }).runs;
    expect(await other.allow("a", "0".repeat(32))).toBeUndefined();
    const loop = await other.allow("a", undefined);
    expect(loop).toMatch(/^[0-9a-f]{32}$/);
    expect(await runs.allow("a", loop)).toBe(loop);
  });

  it("take the client's times if it sends them, and never mix them with their own", async () => {
    const { runs, clock } = runsWith();
    const timed = (at: number): SentEvent[] => lap(at).map((event) => ({ ...event, at: at * 5_000 }) as SentEvent);
    const said: string[] = [];
    for (let at = 0; at < 25; at++) {
      clock.now += 1;
      said.push(...actions(await runs.observe("a", { events: timed(at) })));
    }

    expect(said).toContain("block");
  });

  it("are forgotten after an hour of silence", async () => {
    const { runs, clock } = runsWith();
    await runs.observe("a", { events: lap(0) });
    clock.now += 1_800_000;
    await runs.observe("b", { events: lap(0) });
    clock.now += 1_800_000;
    runs.tidy();

    expect(runs.size).toBe(1);
    expect(await runs.standing("a")).toBeUndefined();
  });

  it("are fewer where a model may be asked about their steps, because those take memory", async () => {
    const counted = async (options: object) => {
      const { runs } = runsWith({ heapBytes: 32 * 131_072 });
      for (let at = 0; at < 20; at++) await runs.observe(`run-${at}`, { events: lap(0), options: { ...options } });
      return runs.size;
    };

    expect(await counted({})).toBe(19);
    expect(await counted({ questions: 12 })).toBe(2);
    expect(await counted({ questions: 0 })).toBe(19);
  });

  it("tell the client once that several runs seem to share one", async () => {
    const { runs } = runsWith();
    const notices: unknown[] = [];
    // Four model loops in turn: each answers before the others have read their results.
    for (let at = 0; at < 16; at++) {
      const call = { type: "call", id: `c${at}x`, tool: "read", args: { page: at } } as const;
      const result = at < 4 ? [] : [{ type: "result", id: `c${at - 4}x`, output: `page ${at}` } as const];
      notices.push((await runs.observe("a", { events: [{ type: "round" }, call, ...result] })).notice);
    }
    expect(notices.filter((one) => one !== undefined)).toEqual([expect.stringContaining("one guard watches one run")]);
  });

  it.each([
    ["numbers from 0 again", (at: number) => at, 0],
    ["numbers from 0 again, long after", (at: number) => at, 150],
    ["gives every event the same number", () => 7, 0],
    ["gives a call and its result the same number", (at: number) => at - (at % 2), 0],
  ])(
    "tell a client that %s, and answer its events with nothing that was said about others",
    async (_, seqAt, rounds) => {
      const { runs, faults } = runsWith();
      const observe = (event: SentEvent, at: number) => runs.observe("a", { events: [{ ...event, seq: seqAt(at) }] });
      const laps = Array.from({ length: 15 }, (_, at) => lap(at)).flat();
      for (const [at, event] of [...laps, ...Array<SentEvent>(rounds).fill({ type: "round" })].entries())
        await observe(event, at);
      const answers: Observed[] = [];
      for (const [at, event] of laps.entries())
        answers.push(await observe({ ...event, id: `other ${at}` } as SentEvent, at));

      expect(answers[0]?.notice).toContain("time in microseconds");
      expect(answers.flatMap(actions)).toEqual(laps.map(() => "continue"));
      for (const fault of faults) expect(fault).toMatchObject({ code: "misuse" });
    },
  );

  it("stay silent where a client sends events again, whatever it notes beside them", async () => {
    const { runs, faults } = runsWith();
    for (let at = 0; at < 12; at++) {
      const events = lap(at);
      const first = await runs.observe("a", { events });
      const again = events.map((event) => ({ ...event, untold: true, meta: { again: true } }));
      expect(await runs.observe("a", { events: again })).toEqual(first);
    }
    await runs.observe("a", { events: lap(0) });
    const long = Array.from({ length: 200 }, (_, at): SentEvent => ({ type: "round", seq: 100 + at }));
    await runs.observe("a", { events: long });
    expect(await runs.observe("a", { events: long })).not.toHaveProperty("notice");

    expect(faults).toEqual([]);
  });

  it("begin with the settings that were asked for, keep them, and say so to whoever asks for others", async () => {
    const { runs } = runsWith();
    const options = { rules: { wait: { poll: true } } };
    const notices: unknown[] = [];
    for (const asked of [
      { policy: "shadow", options },
      { policy: "shadow", options: structuredClone(options) },
      {},
      { policy: "aggressive" },
      { options: { attended: true, rules: { wait: {} } } },
    ])
      notices.push((await runs.observe("a", { events: lap(notices.length), ...asked })).notice);

    expect((await runs.standing("a"))?.policy).toBe("shadow");
    const kept = 'this run keeps what it began with, the policy "shadow"';
    const expected = [`${kept}; ignored: policy`, `${kept}; ignored: attended, rules`];
    expect(notices).toEqual([undefined, undefined, undefined, ...expected]);
  });

  it("go on by their policy if a client sets what it says, and say so beside what else is ignored", async () => {
    const strict = { levels: { told: 2 }, rules: { wait: { poll: true } } };
    const { runs } = runsWith({ policies: readPolicies({ policies: { strict, other: {} } }) });
    const options = { levels: { told: 9 }, rules: { build: { poll: true } } };
    const first = await runs.observe("a", { events: [...lap(0), ...lap(1)], options });
    const second = await runs.observe("a", { events: [], policy: "other", options: { rules: { wait: {} } } });

    expect(first.decisions.at(-1)?.action).toBe("nudge");
    const kept = 'this run keeps what it began with, the policy "strict"; ignored:';
    expect([first.notice, second.notice]).toEqual([`${kept} levels`, `${kept} policy, rules`]);
  });

  it("refuse settings with which no run could begin, whether the run has begun or not", async () => {
    const { runs } = runsWith();
    await runs.observe("a", { events: lap(0) });
    const refused = (run: string, asked: object) => expect(runs.observe(run, { events: lap(1), ...asked })).rejects;
    for (const run of ["a", "b"]) {
      await refused(run, { policy: "nosuch" }).toThrow("known: balanced");
      await refused(run, { options: { ladder: [] } }).toThrow("ladder: at least one rung is required");
      await refused(run, { options: { rules: { wait: { poll: 7 } } } }).toThrow("poll");
    }

    expect((await runs.standing("a"))?.events).toBe(2);
    expect(await runs.standing("b")).toBeUndefined();
  });
});

describe("with a store", () => {
  it("another replica goes on where a run was told something", async () => {
    const store = memoryStore();
    const one = runsWith({ store });
    for (let at = 0; at < 3; at++) await one.runs.observe("a", { events: lap(at) });
    await one.runs.observe("quiet", { events: lap(0) });
    await expect.poll(() => [...store.texts.keys()]).toEqual(["a"]);

    const other = runsWith({ store });
    expect(actions(await other.runs.observe("a", { events: lap(2) }))).toEqual(["continue", "continue"]);
    expect(await other.runs.standing("a")).toMatchObject({ events: 6, told: true });
    expect(other.faults).toEqual([]);
  });

  it("a run begins anew, as its client wants it, if it was saved with options that this version does not know", async () => {
    const store = memoryStore();
    const newer = runsWith({ store });
    const told = [0, 1, 2].flatMap(lap);
    await newer.runs.observe("a", { events: told });
    await newer.runs.saveAll();
    store.texts.set("a", store.texts.get("a")!.replace('"options":{}', '"options":{"horizon":3}'));

    const older = runsWith({ store });
    const { decisions } = await older.runs.observe("a", { events: told, policy: "shadow" });
    expect(decisions.at(-1)).toMatchObject({ action: "continue", would: "nudge" });
    expect(older.faults.map(String)).toEqual([expect.stringContaining("a run that was saved: horizon: there is no")]);
  });

  it.each(["7", '[["$1"]]'])("a run begins anew if its loops were saved as %s", async (loops) => {
    const store = memoryStore();
    const one = runsWith({ store });
    await one.runs.observe("a", { events: [0, 1, 2].flatMap(lap) });
    await one.runs.saveAll();
    store.texts.set("a", store.texts.get("a")!.replace(/(?<="loops":)\["(\w+)"\]/, loops));

    const other = runsWith({ store });
    expect(actions(await other.runs.observe("a", { events: lap(3) }))).toEqual(["continue", "continue"]);
    expect(other.faults).toHaveLength(1);
  });

  it("a run that was told is as far after a change of replicas as without one", async () => {
    const laps = async (change: boolean) => {
      const store = memoryStore();
      let { runs, clock } = runsWith({ store });
      const said: string[] = [];
      for (let at = 0; at < 30; at++) {
        clock.now += 5_000;
        if (change && at % 5 === 4) {
          await runs.saveAll();
          const { now } = clock;
          ({ runs, clock } = runsWith({ store }));
          clock.now = now;
        }
        said.push(...actions(await runs.observe("a", { events: lap(at) })));
      }
      return said;
    };
    // The first change comes after the first words.
    expect(await laps(true)).toEqual(await laps(false));
  });

  it("a replica that was away goes on from what it knew, and counts nothing twice", async () => {
    const store = memoryStore();
    const [one, other] = [runsWith({ store }), runsWith({ store })];
    for (let at = 0; at < 12; at++) {
      const { runs } = at > 3 && at < 8 ? other : one;
      await runs.observe("a", { events: lap(at) });
    }

    expect(await one.runs.standing("a")).toMatchObject({ events: 16 });
  });

  it("keeps no argument and no result", async () => {
    const store = memoryStore();
    const { runs } = runsWith({ store });
    for (let at = 0; at < 4; at++) await runs.observe("a", { events: lap(at) });
    await runs.saveAll();

    expect(store.texts.get("a")).not.toMatch(/a\.ts|the same text/);
  });

  it("goes on without it while it is gone, and says so", async () => {
    const gone = async (): Promise<never> => {
      throw new Error("gone");
    };
    const { runs, faults } = runsWith({ store: { load: gone, save: gone, forget: gone } });
    for (let at = 0; at < 2; at++) await runs.observe("a", { events: lap(at) });

    expect(actions(await runs.observe("a", { events: lap(2) }))).toEqual(["continue", "nudge"]);
    await runs.forget("a");
    expect(faults.length).toBeGreaterThan(0);
  });

  it.each([
    "{",
    "null",
    '{"format":"doomloop-run-1"}',
    JSON.stringify({
      format: "doomloop-run-1",
      policy: "a",
      options: {},
      begunAt: 1,
      events: 1,
      floor: -1,
      clock: "service",
      seen: [],
      guard: {},
    }),
  ])("begins anew where something else lies in it: %s", async (text) => {
    const store = memoryStore();
    store.texts.set("a", text);
    const { runs, faults } = runsWith({ store });
    for (let at = 0; at < 2; at++) await runs.observe("a", { events: lap(at) });

    expect(actions(await runs.observe("a", { events: lap(2) }))).toEqual(["continue", "nudge"]);
    expect(faults.length).toBe(1);
  });
});
