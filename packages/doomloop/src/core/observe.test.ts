import fc from "fast-check";
import { expect, it } from "vitest";
import { eventStreams, workStreams } from "../../../../test/arbitrary-events.ts";
import { newRun, step } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { AgentEvent } from "./event.ts";
import { EMPTY, type Memory } from "./memory.ts";
import { observe, type Read } from "./observe.ts";
import type { Ladder } from "./stage.ts";

const LADDER: Ladder = { levels: { told: 3, refused: 10, ended: 20 }, hasWords: true, hasBlock: true, canEnd: true };

/** What reading makes of events, as the heart takes it. */
function readsOf(events: readonly AgentEvent[]): Read[] {
  const run = newRun({ hasResults: true });
  const given = { wants: ({ evidence }: { evidence: number }) => evidence >= 3, confirms: () => false };
  return events.flatMap((event): readonly Read[] => {
    const effect = run.take(event);
    if (effect.kind === "call") return [{ kind: "call", call: effect.open.call }];
    if (effect.kind === "user") return [{ kind: "turn" }];
    return effect.kind === "step" ? [{ kind: "step", step: effect.step, ...given, audience: "agent" }] : [];
  });
}

/** The memories after each read, and what was replied. `between` may replace a memory before it is passed in again. */
function played(reads: readonly Read[], between: (memory: Memory) => Memory = (memory) => memory) {
  let memory = EMPTY;
  return reads.map((each) => {
    const observed = observe(between(memory), each, LADDER);
    memory = observed.memory;
    return observed;
  });
}

it("changes nothing, gives the same answer each time, and reads its memory back from JSON", () => {
  const property = fc.property(fc.oneof(eventStreams, workStreams), (events) => {
    const reads = readsOf(events);
    const once = played(reads, frozen).map(({ memory, reply }) => ({ memory, reply }));

    expect(played(reads).map(({ memory, reply }) => ({ memory, reply }))).toEqual(once);
    const saved = played(reads, (memory) => JSON.parse(JSON.stringify(memory)) as Memory);
    expect(saved.map(({ reply }) => reply)).toEqual(once.map(({ reply }) => reply));
    expect(JSON.stringify(saved.at(-1)?.memory)).toBe(JSON.stringify(once.at(-1)?.memory));
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
});

it("sees evidence of 1 and more, for what was seen so often", () => {
  const property = fc.property(fc.oneof(eventStreams, workStreams), (events) => {
    for (const { evidence, count, steps } of played(readsOf(events)).flatMap(({ all = [] }) => all)) {
      expect(evidence).toBeGreaterThanOrEqual(1);
      expect(Number.isFinite(evidence) && Number.isInteger(count) && count >= 1 && steps.length >= 1).toBe(true);
    }
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
});

it("remembers so much and no more: the latest", () => {
  const files = Array.from({ length: 400 }, (_, at) => step("read_file", { path: `${at}.ts` }, `this is file ${at}`));
  const { recent, topics } = played(readsOf(files.flat())).at(-1)!.memory;

  expect([recent.length <= 24, topics.length <= 96, recent.at(-1)?.index]).toEqual([true, true, 399]);
});

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
