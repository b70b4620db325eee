import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookState } from "../agents/hook/hook-state.ts";
import { createGuard } from "../index.ts";
import { createSessions, type Sessions, type SessionsOptions } from "./sessions.ts";

const isWindows = process.platform === "win32";
let state: string;
let now: number;
let faults: unknown[];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-sessions-"));
  now = 1_000_000_000_000;
  faults = [];
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const open = (more: Partial<SessionsOptions> = {}): Sessions =>
  createSessions({ state, now: () => now, onFault: (fault) => void faults.push(fault), ...more });
const run = (at = 0): string => at.toString(16).padStart(32, "0");
const fileOf = (at = 0): string => join(state, "sessions", `${run(at)}.json`);
const files = (): string[] => (existsSync(join(state, "sessions")) ? readdirSync(join(state, "sessions")) : []);

/** A run that was told something, or not yet. */
function stateOf(sessions: Sessions, more: Partial<HookState> = {}): HookState {
  const plain = {
    run: {
      words: { held: undefined, of: [] },
      names: { open: [], count: 0 },
      refused: [],
      stop: undefined,
      findings: [],
    },
    at: now,
    missedEvents: sessions.missedEvents("s"),
  };
  return { ...plain, guard: createGuard().snapshot(), madeWith: "", hasSpoken: true, ...more } as unknown as HookState;
}

describe("sessions", () => {
  it("are remembered, and saved only once they were told something", () => {
    const sessions = open();
    sessions.set(run(), stateOf(sessions, { hasSpoken: undefined as never }));
    sessions.save();
    expect(sessions.get(run())?.at).toBe(now);
    expect(files()).toEqual([]);

    sessions.set(run(), stateOf(sessions));
    sessions.save();
    expect(files()).toEqual([`${run()}.json`]);
    if (!isWindows) expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  });

  it("are saved at most every three seconds while they go on", () => {
    const sessions = open();
    const tell = (at: number): void => {
      now += at;
      sessions.set(run(), stateOf(sessions));
      sessions.save();
    };
    const savedAt = (): number => JSON.parse(readFileSync(fileOf(), "utf8")).state.at;
    tell(0);
    const first = savedAt();
    tell(2_900);
    expect(savedAt()).toBe(first);
    tell(100);
    expect(savedAt()).toBe(first + 3_000);
  });

  it("show a gap after a crash, because nobody knows what was missed", () => {
    const before = open();
    before.set(run(), stateOf(before));
    before.save();
    now += 1;
    const after = open();

    expect(after.get(run())?.missedEvents).not.toBe(after.missedEvents("s"));
  });

  it("are handed over without a gap, all of them, and only once", () => {
    const before = open();
    before.set(run(1), stateOf(before));
    before.set(run(2), stateOf(before, { hasSpoken: undefined as never }));
    before.handOver();
    now += 1;
    const after = open();

    for (const at of [1, 2]) expect(after.get(run(at))?.missedEvents).toBe(after.missedEvents("s"));
    expect(files()).toEqual([]);
    // If this one is killed, the file of before must not be taken for the latest.
    expect(open().get(run(1))).toBeUndefined();
  });

  it("show a gap when an event was lost, and when words did not arrive", () => {
    const sessions = open();
    sessions.set(run(1), stateOf(sessions));
    sessions.set(run(2), stateOf(sessions));
    sessions.noteUndelivered(run(1));
    expect(sessions.get(run(1))?.missedEvents).not.toBe(sessions.missedEvents("s"));
    expect(sessions.get(run(2))?.missedEvents).toBe(sessions.missedEvents("s"));

    sessions.noteMissed("another");
    expect(sessions.get(run(2))?.missedEvents).toBe(sessions.missedEvents("s"));
    sessions.noteMissed("s");
    expect(sessions.get(run(2))?.missedEvents).not.toBe(sessions.missedEvents("s"));

    sessions.set(run(2), stateOf(sessions));
    sessions.noteMissed(undefined);
    expect(sessions.missedCount()).toBe(3);
    expect(sessions.get(run(2))?.missedEvents).not.toBe(sessions.missedEvents("s"));
  });

  it("beyond the limit leave the memory, the oldest first, and come back from the disk", () => {
    const sessions = open({ maxLive: 3 });
    for (let at = 0; at < 10; at++) sessions.set(run(at), stateOf(sessions));
    sessions.set(run(99), stateOf(sessions, { hasSpoken: undefined as never }));

    expect(sessions.size).toBe(3);
    expect(sessions.get(run(0))?.missedEvents).toBe(sessions.missedEvents("s"));
    expect(files()).toHaveLength(8);
  });

  it("are removed after a week, and beyond a thousand files, with what killed processes left", () => {
    const sessions = open({ maxLive: 1 });
    for (let at = 0; at < 1_010; at++) sessions.set(run(at), stateOf(sessions));
    writeFileSync(`${fileOf(1)}.4711.new`, "half");
    now = Date.now();
    utimesSync(fileOf(5), 1, 1);
    sessions.save();

    expect(files().length).toBe(1_000);
    expect(files()).not.toContain(`${run(5)}.json`);
    expect(files().filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it.each([
    ["an empty file", ""],
    ["half a file", '{"state":{"version":4,'],
    ["another version", JSON.stringify({ state: { version: 3, guard: {} }, isComplete: true })],
    ["something else", "[1,2]"],
    ["null", "null"],
  ])("begin anew from %s", (_, text) => {
    const sessions = open();
    sessions.set(run(), stateOf(sessions));
    sessions.save();
    writeFileSync(fileOf(), text);

    expect(open().get(run())).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it("go on in memory where they cannot be saved, and say so", () => {
    writeFileSync(join(state, "sessions"), "a file where a folder should be");
    const sessions = open();
    sessions.set(run(), stateOf(sessions));
    sessions.save();

    expect(sessions.get(run())?.at).toBe(now);
    expect(faults).toHaveLength(1);
  });
});
