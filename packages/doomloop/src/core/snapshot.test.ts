import { createGuard, type Guard, type GuardOptions, type Snapshot } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, step, times } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { Rung } from "./answer.ts";
import { pack, unpack } from "./collections/pack.ts";
import { heartJudge } from "./heart-judge.ts";
import { EMPTY, type Memory } from "./memory.ts";
import { resolveOptions } from "./options.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";

const read = step("read_file", { path: "a.ts" }, "export const a = 1;");

const judge = heartJudge(resolveOptions({}));
const topicsOf = (memory: { readonly judge: object }) => (memory.judge as { readonly heart: Memory }).heart.topics;
const reread = (snapshot: Snapshot) => readSnapshot(JSON.parse(JSON.stringify(snapshot)), judge);

/** A guard with a snapshot of any kind, and what it reports. */
function restored(snapshot: unknown) {
  const faults: unknown[] = [];
  const guard = createGuard({ snapshot: snapshot as Snapshot, onFault: (fault) => void faults.push(fault) });
  return { guard, faults };
}

describe("readSnapshot", () => {
  it("reads what writeSnapshot wrote, also after a time as JSON", () => {
    const guard = createGuard();
    for (const event of times(4, read)) guard.observe(event);
    const memory = reread(guard.snapshot());

    expect(reread(writeSnapshot(memory, judge))).toEqual(memory);
  });

  it.each([
    [{ version: 1 }, "snapshot: version 9 is required, got version 1"],
    [{ version: 3 }, "snapshot: version 9 is required, got version 3"],
    [{}, "snapshot: version 9 is required, got version undefined"],
    [null, "snapshot: version 9 is required, got null"],
    ["text", "snapshot: version 9 is required, got string"],
  ])("refuses %j", (snapshot, message) => {
    expect(() => readSnapshot(snapshot as unknown as Snapshot, judge)).toThrow(
      expect.objectContaining({ code: "invalid-snapshot", message }),
    );
  });
});

describe("writeSnapshot", () => {
  const sizeOf = (guard: Guard) => new TextEncoder().encode(JSON.stringify(guard.snapshot())).length;
  const content = (file: number, version: number) =>
    `version ${"abc"[version]} of ${file}: ${"text ".repeat(70 + version)}`;
  const look = (file: number, version: number) =>
    step("read_file", { path: `src/part-${file}.ts`, encoding: "utf8" }, content(file, version));
  /** A run that has read so many files, in three versions each and nine times each. */
  const busy = (files: number) => {
    const guard = createGuard({ ladder: ["nudge"] });
    for (let file = 0; file < files; file++)
      for (const version of [0, 1, 2]) for (const event of times(9, look(file, version))) guard.observe(event);
    return guard;
  };

  it("stays under 64 KB in a run that has seen much, several times and in several versions", () => {
    const guard = busy(120);
    for (let at = 0; at < 48; at++) guard.observe(call("bash", { command: `cat ${at}` }, { id: `${at}`.repeat(40) }));

    expect(sizeOf(guard)).toBeLessThanOrEqual(65_536);
    expect(sizeOf(guard)).toBeGreaterThan(32_768);
  });

  it("leaves out the topics that were met longest ago if there is no room for all, and keeps the latest", () => {
    const memory = readSnapshot(busy(112).snapshot(), judge);
    for (let at = 0; at < 1_300; at++) memory.done.push(`${at} of many payments`);
    const snapshot = writeSnapshot(memory, judge);
    const less = readSnapshot(snapshot, judge);

    expect(JSON.stringify(snapshot).length).toBeLessThanOrEqual(65_536);
    expect([topicsOf(less).length, less.run.latest.length]).not.toContain(0);
    expect(topicsOf(less)).toEqual(topicsOf(memory).slice(-topicsOf(less).length));
    expect(topicsOf(less).length).toBeLessThan(topicsOf(memory).length);
    expect(less.run.latest).toEqual(memory.run.latest.slice(-less.run.latest.length));
  });

  it("leaves out nothing of a run that fits", () => {
    const guard = createGuard();
    for (let file = 0; file < 40; file++) for (const event of look(file, 0)) guard.observe(event);

    expect(readSnapshot(guard.snapshot(), judge).run.latest).toHaveLength(40);
  });

  it("takes little room for a short run", () => {
    const guard = createGuard();
    for (let file = 0; file < 3; file++) for (const event of look(file, 0)) guard.observe(event);

    expect(sizeOf(guard)).toBeLessThan(8_192);
  });
});

describe("a guard with a snapshot", () => {
  it("goes on where the run was", () => {
    const first = createGuard();
    for (const event of times(2, read)) first.observe(event);
    const { guard, faults } = restored(JSON.parse(JSON.stringify(first.snapshot())));

    expect(read.map((event) => guard.observe(event).action)).toEqual(["continue", "nudge"]);
    expect(faults).toEqual([]);
  });

  it.each<[GuardOptions, Rung]>([
    [{ ladder: ["nudge", "block"] }, "block"],
    [{ ladder: ["block"] }, "block"],
    [{ ladder: ["stop"] }, "stop"],
  ])("goes on under a shorter ladder with what that has: %j", (options, rung) => {
    const first = createGuard({ ladder: ["nudge", "nudge", "nudge", "block", "block", "block", "stop"] });
    const before = times(16, read).map((event) => first.observe(event).action);
    const guard = createGuard({ ...options, snapshot: JSON.parse(JSON.stringify(first.snapshot())) });
    const answers = times(40, read)
      .map((event) => guard.observe(event))
      .filter(({ action }) => action !== "continue");

    expect(before.at(-2)).toBe("block");
    expect(new Set(answers.map(({ action }) => action))).toEqual(new Set([rung]));
    expect(answers.every(({ message }) => message !== undefined)).toBe(true);
  });

  it.each([
    ["another version", { ...createGuard().snapshot(), version: 99 }],
    ["no snapshot", "hello"],
    ["an empty one", { version: 9 }],
    [
      "one that refers to nothing",
      { ...createGuard().snapshot(), memory: { texts: [], shapes: [], value: [-1, "~9"] } },
    ],
  ])("begins anew with %s, without throwing", (_what, snapshot) => {
    const { guard } = restored(snapshot);

    expect(times(3, read).map((event) => guard.observe(event).action)).toEqual([
      ...Array.from({ length: 5 }, () => "continue"),
      "nudge",
    ]);
  });

  it("reports a broken one, and begins anew", () => {
    const { guard, faults } = restored({
      version: 9,
      judge: "evidence",
      memory: pack({ run: { history: { keys: 5 } } }),
    });
    const actions = times(4, read).map((event) => guard.observe(event).action);

    expect(actions.filter((action) => action !== "continue")).toEqual(["nudge"]);
    expect(faults).toHaveLength(1);
  });

  it("reports a version that it cannot read, once", () => {
    const { guard, faults } = restored({ ...createGuard().snapshot(), version: 99 });
    for (const event of times(3, read)) guard.observe(event);

    expect(faults).toEqual([expect.objectContaining({ code: "invalid-snapshot" })]);
  });

  it.each([
    { tally: { decisions: null } },
    { tally: { findings: null } },
    { tally: 7 },
    { allowed: 7 },
    { judge: { heart: null } },
    { judge: { heart: { ...EMPTY, stage: { at: "told" } } } },
    { judge: { heart: { ...EMPTY, stage: 7 } } },
    { judge: { heart: { ...EMPTY, topics: [{}] } } },
    { judge: { heart: { ...EMPTY, recent: [undefined] } } },
    { judge: { heart: { ...EMPTY, recent: [{}] } } },
    { judge: { heart: { ...EMPTY, drought: "long" } } },
    { judge: { findings: new Map([["a", null]]) } },
    { judge: { talk: 7 } },
    { run: { calls: "many" } },
    { run: { latest: [undefined] } },
    { run: { open: [{}] } },
    { run: { answersOf: [{ tool: 1 }] } },
    { run: { pieces: { marks: ["x"] } } },
    { run: { named: { marks: 3 } } },
    { run: { measures: new Map([["diff", 3]]) } },
    { run: { sleptAt: [7] } },
    { run: { request: null } },
    { run: { userTexts: [7] } },
    { run: { text: 7 } },
    { nudges: { obeyed: "often" } },
    { restarts: "never" },
  ])("survives a broken part: %j", (part) => {
    const whole = unpack(createGuard().snapshot().memory) as Record<string, object>;
    const [name, value] = Object.entries(part)[0]!;
    const broken = typeof value === "object" ? { ...whole[name], ...value } : value;
    const { guard } = restored({ version: 9, judge: "evidence", memory: pack({ ...whole, [name]: broken }) });

    // It begins anew sooner or later, and is not silent for ever.
    expect(times(9, read).map((event) => guard.observe(event).action)).toContain("nudge");
    expect(() => guard.stats()).not.toThrow();
    expect(() => guard.snapshot()).not.toThrow();
    expect(() => guard.peek(read[0]!)).not.toThrow();
  });

  it("never throws, whatever a part of it was replaced by", () => {
    const guard = createGuard();
    for (const event of times(4, read)) guard.observe(event);
    const whole = unpack(guard.snapshot().memory) as object;
    const property = fc.property(fc.nat(), fc.jsonValue({ maxDepth: 2 }), (place, value) => {
      const { guard: other } = restored({ version: 9, judge: "evidence", memory: pack(replaced(whole, place, value)) });

      for (const event of times(2, read)) other.observe(event);
      other.stats();
      other.snapshot();
    });
    // A snapshot is copied, read and written in every case.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });
});

/** A copy in which one value, wherever it stands, is another. */
function replaced(memory: object, place: number, value: unknown): unknown {
  const copy = structuredClone(memory);
  const replacements: (() => void)[] = [];
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const isMap = part instanceof Map;
    for (const [key, item] of isMap ? part : Object.entries(part)) {
      replacements.push(() => void (isMap ? part.set(key, value) : Object.assign(part, { [key]: value })));
      collect(item);
    }
  };
  collect(copy);
  replacements[place % replacements.length]!();
  return copy;
}
