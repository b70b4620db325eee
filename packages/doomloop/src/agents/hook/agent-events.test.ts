import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAgentEvents, readAgentEvents } from "./agent-events.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
let state: string;
let now: number;
let faults: unknown[];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-events-"));
  now = 1_790_000_000_000;
  faults = [];
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const file = (): string => join(state, "events.json");
const created = () =>
  createAgentEvents(
    state,
    () => now,
    (fault) => void faults.push(fault),
  );
const saved = () => readAgentEvents(state, now)["claude-code"]?.unreadable;

it("saves the first unreadable event at once, and then once a minute, however many come", () => {
  const events = created();
  events.noteUnreadable("claude-code");
  events.save();
  expect(saved()).toEqual({ count: 1, at: now });

  const first = now;
  for (let at = 0; at < 1000; at++) {
    now = first + at;
    events.noteUnreadable("claude-code");
    events.save();
  }
  expect(saved()).toEqual({ count: 1, at: first });
  expect(readAgentEvents(state, now, events.unsaved())["claude-code"]?.unreadable).toEqual({ count: 1001, at: now });
  now = first + MINUTE;
  events.save();
  expect(saved()).toEqual({ count: 1001, at: first + 999 });
});

it("writes no file before there is anything to save, and none again afterwards", () => {
  const events = created();
  events.save();
  events.save(true);
  expect(() => statSync(file())).toThrow();

  events.noteUnreadable("codex");
  events.save();
  const { ino } = statSync(file());
  now += MINUTE;
  events.save();
  expect(statSync(file()).ino).toBe(ino);
});

it("adds up what several processes count, and saves what is left at the end", () => {
  const [one, other] = [created(), created()];
  for (const events of [one, other, other]) {
    events.noteUnreadable("claude-code");
    events.noteUnreadable("codex");
    events.save();
  }
  other.save(true);

  expect(readAgentEvents(state, now)).toEqual({
    "claude-code": { unreadable: { count: 3, at: now } },
    codex: { unreadable: { count: 3, at: now } },
  });
  if (process.platform !== "win32") expect(statSync(file()).mode & 0o077).toBe(0);
});

it("forgets them when none has come for a week, and counts from the start again", () => {
  const events = created();
  events.noteUnreadable("claude-code");
  events.save();
  now += 6 * DAY;
  expect(saved()?.count).toBe(1);
  now += DAY;
  expect(saved()).toBeUndefined();

  events.noteUnreadable("claude-code");
  events.save();
  expect(saved()?.count).toBe(1);
});

it.each([
  "",
  "{",
  "null",
  "[]",
  "7",
  '{"claude-code":null}',
  '{"claude-code":{"unreadable":[]}}',
  '{"claude-code":{"unreadable":{"count":"9","at":"x"}}}',
  '{"claude-code":{"unreadable":{"count":-1,"at":1790000000000}}}',
  '{"claude-code":{"unreadable":{"count":1e999,"at":1790000000000}}}',
  `{"__proto__":{"unreadable":{"count":9,"at":1790000000000}}}${" ".repeat(100_000)}`,
])("reads nothing from a file that it did not write, and replaces it: %.70s", (text) => {
  writeFileSync(file(), text);
  expect(readAgentEvents(state, now)).toEqual({});

  const events = created();
  events.noteUnreadable("claude-code");
  events.save();
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({ "claude-code": { unreadable: { count: 1, at: now } } });
});

it("reports that it cannot save once a minute, and loses no count by that", () => {
  rmSync(state, { recursive: true });
  const events = created();
  for (let at = 0; at < 10; at++) {
    events.noteUnreadable("claude-code");
    events.save();
  }
  expect(faults).toHaveLength(1);
  now += MINUTE;
  events.save();
  expect(faults).toHaveLength(2);

  expect(readAgentEvents(state, now, events.unsaved())["claude-code"]?.unreadable.count).toBe(10);
});
