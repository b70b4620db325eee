import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendToLog, createInterventionLog, type LogEntry, logFile, readLog } from "./intervention-log.ts";

const isWindows = process.platform === "win32";
const AT = Date.UTC(2026, 10, 17, 12);
const ENTRY: LogEntry = {
  ...{ at: AT, host: "codex", session: "s1", folder: "/work", said: "words", kind: "repeated-call" },
  ...{ tool: "Bash", count: 3 },
  words: "[doomloop] This exact `Bash` call failed the same way 3 times.",
  ignored: 1,
};
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-log-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

describe("the log", () => {
  it("gives back what was said, in a range of time", () => {
    appendToLog(state, ENTRY);
    appendToLog(state, { at: AT + 1_000, said: "allowed" });

    expect(readLog(state)).toEqual([ENTRY, { at: AT + 1_000, said: "allowed" }]);
    expect(readLog(state, AT + 1)).toHaveLength(1);
    expect(readLog(state, 0, AT)).toHaveLength(1);
    if (!isWindows) expect(statSync(logFile(state, AT)).mode & 0o777).toBe(0o600);
  });

  it("has a file for each month, and forgets those of more than a year ago", () => {
    const old = Date.UTC(2025, 5, 1);
    appendToLog(state, { ...ENTRY, at: old });
    appendToLog(state, { ...ENTRY, at: Date.UTC(2026, 9, 31) });
    appendToLog(state, ENTRY);

    expect(readdirSync(state).sort()).toEqual(["log-2026-10.jsonl", "log-2026-11.jsonl"]);
    expect(readLog(state)).toHaveLength(2);
  });

  it("ignores what others wrote into it", () => {
    appendToLog(state, ENTRY);
    const lines = [
      "{",
      "[]",
      "null",
      '{"v":1}',
      '{"v":2,"at":1,"said":"words"}',
      '{"v":1,"at":1,"said":"rm"}',
      "x".repeat(9_000),
    ];
    appendFileSync(logFile(state, AT), `${lines.join("\n")}\n`);
    appendFileSync(
      logFile(state, AT),
      `${JSON.stringify({ v: 1, at: AT, said: "words", count: -1, tool: 7, more: 1 })}\n`,
    );

    expect(readLog(state)).toEqual([ENTRY, { at: AT, said: "words" }]);
  });

  it("cuts long words, and lets the oldest entries go when it is full", () => {
    appendToLog(state, { ...ENTRY, words: "x".repeat(100_000) });
    expect(readLog(state)[0]?.words).toHaveLength(800);
    const line = (at: number): string => `${JSON.stringify({ v: 1, ...ENTRY, at: AT + at })}\n`;
    writeFileSync(logFile(state, AT), Array.from({ length: 11_000 }, (_, at) => line(at)).join(""));
    appendToLog(state, { ...ENTRY, at: AT + 20_000 });

    expect(statSync(logFile(state, AT)).size).toBeLessThan(1_100_000);
    const entries = readLog(state);
    expect(entries.length).toBeGreaterThan(4_000);
    expect(entries.slice(-2).map(({ at }) => at - AT)).toEqual([10_999, 20_000]);
  });

  it("gives back what another model said, and lets that go first when it is full", () => {
    const opinion: LogEntry = { at: AT, said: "opinion", verdict: "working", why: "patrol", count: 20, ms: 812 };
    appendToLog(state, opinion);
    appendFileSync(
      logFile(state, AT),
      `${JSON.stringify({ v: 1, at: AT, said: "opinion", verdict: "x", why: "y" })}\n`,
    );
    expect(readLog(state)).toEqual([opinion, { at: AT, said: "opinion" }]);

    const line = `${JSON.stringify({ v: 1, ...opinion })}\n`;
    writeFileSync(
      logFile(state, AT),
      `${JSON.stringify({ v: 1, ...ENTRY })}\n${line.repeat(2_000_000 / line.length + 1)}`,
    );
    appendToLog(state, { ...ENTRY, at: AT + 1 });
    expect(readLog(state)).toEqual([ENTRY, { ...ENTRY, at: AT + 1 }]);
  });

  it("has one entry for the refusals of one loop, which counts up", () => {
    const log = createInterventionLog(state);
    const refusal = (at: number, session = "s1"): LogEntry => ({
      ...ENTRY,
      said: "refusal",
      at: AT + at,
      session,
      count: at,
    });
    for (let at = 1; at <= 5_000; at++) log.note(refusal(at));
    log.note(refusal(7_000, "s2"));
    log.note({ at: AT + 7_001, said: "outcome", session: "s1", host: "codex", obeyed: 1 });
    log.note(refusal(8_000));

    expect(readLog(state)).toEqual([
      refusal(7_000, "s2"),
      { at: AT + 7_001, said: "outcome", session: "s1", host: "codex", obeyed: 1 },
      { ...refusal(8_000), times: 5_001, ignored: 5_001 },
    ]);
    expect(statSync(logFile(state, AT)).size).toBeLessThan(1_000);
  });

  it("begins another entry for another loop, after other words, and when its own is gone", () => {
    const log = createInterventionLog(state);
    const refusal: LogEntry = { ...ENTRY, said: "refusal" };
    log.note(refusal);
    log.note({ ...refusal, tool: "Read" });
    log.note(ENTRY);
    log.note({ ...refusal, tool: "Read" });
    expect(readLog(state)).toHaveLength(4);

    writeFileSync(logFile(state, AT), "");
    log.note({ ...refusal, tool: "Read" });
    expect(readLog(state)).toEqual([{ ...refusal, tool: "Read" }]);
  });

  it.skipIf(isWindows)("is not written through a link", () => {
    writeFileSync(join(state, "victim"), "precious");
    symlinkSync(join(state, "victim"), logFile(state, AT));

    expect(() => appendToLog(state, ENTRY)).toThrow();
    expect(readFileSync(join(state, "victim"), "utf8")).toBe("precious");
    expect(readLog(state)).toEqual([]);
  });

  it("is empty where there is none", () => {
    expect(readLog(join(state, "absent"))).toEqual([]);
    expect(existsSync(join(state, "absent"))).toBe(false);
  });
});
