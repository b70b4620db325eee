import { hash } from "node:crypto";
import { type AgentEvent, createGuard, type Guard } from "../../../packages/doomloop/src/index.ts";
import { type Bench, measure } from "../measure.ts";
import { createNumbers, generateRun, prose, type Sample } from "../sample-runs.ts";

const CHARACTERS = 1 << 20;

const ALLOWANCE_MS = 1;

const REPEATS = 8;

/** A result of a megabyte, against its SHA-256 and a millisecond: a large output should be read only once. */
export const largeResult: Bench = (clock) => {
  const outputs = Array.from({ length: REPEATS }, (_, seed) =>
    prose(CHARACTERS, createNumbers(seed)).slice(0, CHARACTERS),
  );
  const ids = outputs.map((_, at) => String(at));
  const { floor, ours } = measure(clock, {
    floor: () => () => {
      for (const output of outputs) hash("sha256", output);
    },
    ours: () => {
      const guard = createGuard();
      for (const id of ids) guard.observe({ type: "call", id, tool: "read_file", args: { path: "large.log" } });
      return () => {
        for (const [at, id] of ids.entries()) guard.observe({ type: "result", id, output: outputs[at] });
      };
    },
  });
  const oursMs = ours / REPEATS;
  const floorMs = floor / REPEATS;
  return {
    what: "a result of 1 MB, against its SHA-256 plus 1 ms",
    measured: oursMs / (floorMs + ALLOWANCE_MS),
    goal: 1,
    unit: "x",
    detail: `${oursMs.toFixed(2)} ms against ${floorMs.toFixed(2)} ms plus ${ALLOWANCE_MS} ms`,
  };
};

const EARLY = 1_000;

const LATE = 100_000;

const WINDOW = 2_000;

/** The cost of an event late in a long run, against early in it. Memory is bounded, so it must be the same. */
export const longRun: Bench = (clock) => {
  const events = generateRun((LATE + WINDOW) / 2, 1);
  const feed = (guard: Guard, from: number, to: number): void => {
    for (let at = from; at < to; at++) guard.observe(events[at]!);
  };
  let guard = createGuard();
  const { early, late } = measure(clock, {
    early: () => {
      guard = createGuard();
      feed(guard, 0, EARLY);
      return () => feed(guard, EARLY, EARLY + WINDOW);
    },
    late: () => {
      feed(guard, EARLY + WINDOW, LATE);
      return () => feed(guard, LATE, LATE + WINDOW);
    },
  });
  const each = `${((late * 1000) / WINDOW).toFixed(1)} µs an event against ${((early * 1000) / WINDOW).toFixed(1)} µs`;
  return {
    what: "an event at event 100,000, against event 1,000 of the same run",
    measured: late / early,
    goal: 1.15,
    unit: "x",
    detail: `a generated run, ${each}`,
  };
};

/** A call and its result with all detectors on, against the least work that any comparison of steps needs. */
export function steps({ runs, steps: count, origin }: Sample): Bench {
  return (clock) => {
    const { floor, ours } = measure(clock, {
      floor: () => () => runs.forEach(touch),
      ours: () => () => runs.forEach(watch),
    });
    const each = `${((ours * 1000) / count).toFixed(1)} µs a step against ${((floor * 1000) / count).toFixed(1)} µs`;
    return {
      what: "a call and its result, against JSON.stringify and one SHA-256",
      measured: ours / floor,
      goal: 5,
      limit: 12,
      unit: "x",
      detail: `${count.toLocaleString("en-US")} steps of ${runs.length.toLocaleString("en-US")} ${origin}, ${each}`,
    };
  };
}

function watch(events: readonly AgentEvent[]): void {
  const guard = createGuard();
  for (const event of events) guard.observe(event);
}

/** Serialises the arguments once and hashes the output once. */
function touch(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type === "call") JSON.stringify(event.args);
    else if (event.type === "result") hash("sha256", textOf(event.output));
  }
}

function textOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}
