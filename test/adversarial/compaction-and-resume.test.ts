import { createGuard, type Guard, type GuardOptions, type Snapshot } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, result, step, times } from "../builders.ts";

const saved = createGuard().snapshot();
const compaction: AgentEvent = { type: "compaction" };
const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
const failing = step("bash", { command: "npm run lint" }, "npm error Missing script: lint", { error: true });

describe("a compaction", () => {
  it("does not hide a loop that goes on across it", () => {
    expect(actionsOf([...times(2, look), compaction, ...times(3, look)]).length).toBeGreaterThan(0);
  });

  it("between all laps of a loop does not hide it for ever", () => {
    const events = Array.from({ length: 6 }, () => [...times(2, look), compaction]).flat();

    expect(actionsOf(events).length).toBeGreaterThan(0);
  });

  it("excuses one look at what the agent forgot", () => {
    expect(actionsOf([...times(2, look), compaction, ...look])).toEqual([]);
  });

  it("takes nothing back: what was refused before it is refused after it", () => {
    const events = [...times(4, look), compaction, ...times(3, look), call("read_file", { path: "a.ts" })];

    expect(actionsOf(events, { levels: { refused: 5, ended: 20 } })).toContain("block");
  });

  it("excuses reading every file of a task once more", () => {
    const files = Array.from({ length: 12 }, (_, at) =>
      step("read_file", { path: `${at}.ts` }, `file ${at}: ${"y".repeat(at)}`),
    );
    const edit = step("edit_file", { path: "1.ts", old_string: "y", new_string: "z" }, "done");

    expect(actionsOf([...files.flat(), compaction, ...files.flat(), ...edit])).toEqual([]);
  });
});

describe("a snapshot", () => {
  const kept = (guard: Guard): Snapshot => JSON.parse(JSON.stringify(guard.snapshot()));
  const resumedAfter = (events: readonly AgentEvent[], place: number, options: GuardOptions = {}): string[] => {
    const first = createGuard(options);
    const before = events.slice(0, place).map((event) => first.observe(event).action);
    const second = createGuard({ ...options, snapshot: kept(first) });
    return [...before, ...events.slice(place).map((event) => second.observe(event).action)];
  };
  const loops: Record<string, AgentEvent[]> = {
    "the same look": times(30, look),
    "the same failure": times(24, failing).map((event, at) => ({ ...event, at: at * 3_000 })),
    "a cycle of three": times(5, [
      ...step("read_file", { path: "a" }, "a has 3 lines"),
      ...step("read_file", { path: "b" }, "b has 4 lines"),
      ...step("list_files", {}, "a b c"),
    ]),
    "similar calls": ["", " now", " please", " here", " today", " at all", " at last", " at once"].flatMap((more) =>
      step("search", { query: `how to configure the retry policy of the client${more}` }, "No results. ".repeat(20)),
    ),
    "waiting in vain": times(70, step("bash", { command: "sleep 30 && cat build.log" }, "still compiling")),
    "words instead of work": times(10, [{ type: "text", text: "I will now begin." }]),
  };

  it.each(Object.entries(loops))("taken anywhere in %s changes no decision", (_, events) => {
    const through = createGuard();
    const expected = events.map((event) => through.observe(event).action);
    expect(new Set(expected).size).toBeGreaterThan(1);

    for (let place = 0; place <= events.length; place++) expect(resumedAfter(events, place)).toEqual(expected);
  });

  it("taken between a call and its result still pairs them", () => {
    const events = [
      ...times(2, look),
      call("read_file", { path: "a.ts" }, { id: "x" }),
      result("export const a = 1;", { id: "x" }),
    ];

    expect(resumedAfter(events, 5).at(-1)).toBe("nudge");
  });

  it("keeps what was allowed", () => {
    const guard = createGuard();
    for (const event of times(3, look)) {
      const { finding } = guard.observe(event);
      if (finding !== undefined) guard.allow(finding);
    }
    const resumed = createGuard({ snapshot: kept(guard) });

    expect(times(10, look).every((event) => resumed.observe(event).action === "continue")).toBe(true);
  });

  it("of a later guard does not change with it", () => {
    const guard = createGuard();
    times(3, look).forEach((event) => void guard.observe(event));
    const snapshot = guard.snapshot();
    const text = JSON.stringify(snapshot);
    times(8, failing).forEach((event) => void guard.observe(event));

    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it("is not changed by the guard that goes on with it", () => {
    const first = createGuard();
    times(3, look).forEach((event) => void first.observe(event));
    const snapshot = first.snapshot();
    const text = JSON.stringify(snapshot);
    const second = createGuard({ snapshot });
    [...times(4, look), ...times(4, failing)].forEach((event) => void second.observe(event));

    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it.each([
    ["of another version", { version: 999 }],
    ["that is text", "{}"],
    ["that is null", null],
    ["without a run", { version: 1 }],
    ["with a memory of nothing", { ...saved, memory: { texts: [], shapes: [], value: null } }],
    ["with lists that are none", { ...saved, memory: { texts: 3, shapes: 5, value: [0] } }],
    ["full of nulls", { ...saved, memory: null }],
  ])("%s is a fault that is told, and the run begins anew", (_, snapshot) => {
    const faults: unknown[] = [];
    const guard = createGuard({ snapshot: snapshot as never, onFault: (fault) => void faults.push(fault) });
    const actions = times(3, look).map((event) => guard.observe(event).action);

    expect(actions.at(-1)).toBe("nudge");
    expect(JSON.parse(JSON.stringify(guard.stats()))).toMatchObject({ decisions: { nudge: 1 } });
    expect(faults.length).toBeLessThanOrEqual(1);
  });

  it("damaged in any one place never makes a guard throw or fall silent for ever", () => {
    const guard = createGuard();
    [...times(4, look), ...times(4, failing)].forEach((event) => void guard.observe(event));
    const whole = JSON.stringify(guard.snapshot());
    for (const damage of [null, -1, "x", [], {}, 1e308]) {
      for (const path of pathsOf(JSON.parse(whole))) {
        const snapshot = damaged(JSON.parse(whole), path, damage);
        const resumed = createGuard({ snapshot });
        expect(() => [...failing, ...look].forEach((event) => void resumed.observe(event))).not.toThrow();
      }
    }
  });
});

/** Every place in a value down to the third level, and the first of each list below. */
function pathsOf(value: unknown, depth = 0): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const keys = depth < 3 ? Object.keys(value).slice(0, 20) : Object.keys(value).slice(0, 1);
  return [
    [],
    ...keys.flatMap((key) => pathsOf((value as Record<string, unknown>)[key], depth + 1).map((path) => [key, ...path])),
  ];
}

function damaged(value: unknown, path: readonly string[], damage: unknown): Snapshot {
  const [key, ...rest] = path;
  if (key === undefined) return damage as Snapshot;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as Record<string, unknown>) };
  Reflect.set(copy, key, damaged(Reflect.get(copy, key), rest, damage));
  return copy as never;
}
