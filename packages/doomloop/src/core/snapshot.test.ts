import { createGuard, type Guard, type GuardOptions, type Snapshot } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, step, times } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { Rung } from "./answer.ts";
import { pack, unpack } from "./collections/pack.ts";
import { evidenceJudge } from "./evidence/evidence-judge.ts";
import { resolveOptions } from "./options.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";

const { version } = createGuard().snapshot();
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");

const judge = evidenceJudge(resolveOptions({}));
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

    expect(reread(writeSnapshot(memory, judge.name))).toEqual(memory);
  });

  it.each([
    [{ version: 1 }, "snapshot: version 8 is required, got version 1"],
    [{ version: 3 }, "snapshot: version 8 is required, got version 3"],
    [{}, "snapshot: version 8 is required, got version undefined"],
    [null, "snapshot: version 8 is required, got null"],
    ["text", "snapshot: version 8 is required, got string"],
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
    const latest = [...memory.run.topics.keys()].at(-1);
    for (let at = 0; at < 1_300; at++) memory.done.push(`${at} of many payments`);
    const snapshot = writeSnapshot(memory, judge.name);
    const { topics } = readSnapshot(snapshot, judge).run;

    expect(JSON.stringify(snapshot).length).toBeLessThanOrEqual(65_536);
    expect(topics.size).toBeLessThan(memory.run.topics.size);
    expect([...topics.keys()].at(-1)).toBe(latest);
  });

  it("leaves out nothing of a run that fits", () => {
    const guard = createGuard();
    for (let file = 0; file < 40; file++) for (const event of look(file, 0)) guard.observe(event);

    expect(readSnapshot(guard.snapshot(), judge).run.latest.size).toBe(40);
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
    [{ ladder: ["nudge"] }, "nudge"],
    [{ ladder: ["nudge"], levels: { refused: 5, ended: 6 } }, "nudge"],
    [{ ladder: ["nudge", "stop"], levels: { ended: 500 } }, "nudge"],
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
    ["an empty one", { version }],
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
      version,
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
    { evidence: { pressure: null } },
    { evidence: { pressure: { level: "high" } } },
    { evidence: { findings: new Map([["a", null]]) } },
    { evidence: { talk: 7 } },
    { run: { calls: "many" } },
    { run: { steps: [undefined] } },
    { run: { steps: [{}] } },
    { run: { open: [{}] } },
    { run: { topics: new Map([["a", [{}]]]) } },
    { run: { topics: new Map([["a", null]]) } },
    { run: { pieces: { marks: ["x"] } } },
    { run: { words: { marks: 3 } } },
    { run: { measures: new Map([["diff", 3]]) } },
    { run: { voices: new Map([["read_file", [7]]]) } },
    { run: { userTexts: [7] } },
    { run: { text: 7 } },
    { nudges: { obeyed: "often" } },
    { restarts: "never" },
  ])("survives a broken part: %j", (part) => {
    const whole = unpack(createGuard().snapshot().memory) as Record<string, object>;
    const [name, value] = Object.entries(part)[0]!;
    const broken = typeof value === "object" ? { ...whole[name], ...value } : value;
    const { guard } = restored({ version, judge: "evidence", memory: pack({ ...whole, [name]: broken }) });

    // It begins anew sooner or later, and is not silent for ever.
    expect(times(9, read).map((event) => guard.observe(event).action)).toContain("nudge");
    expect(() => guard.stats()).not.toThrow();
    expect(() => guard.snapshot()).not.toThrow();
    expect(() => guard.peek(read[0]!)).not.toThrow();
  });

  it("never throws, whatever a part of it was replaced by", () => {
    const guard = createGuard();
    for (const event of times(4, read)) guard.observe(event);
    const { judge, memory } = guard.snapshot();
    const whole = unpack(memory) as object;
    const property = fc.property(fc.nat(), fc.jsonValue({ maxDepth: 2 }), (place, value) => {
      const { guard: other } = restored({ version, judge, memory: pack(replaced(whole, place, value)) });

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
