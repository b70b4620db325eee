import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { campaignSize } from "../campaign-size.ts";
import { openDoor } from "../hook-door.ts";

const DAY_MS = 86_400_000;
const CALLS = 12;
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-many-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const heap = (): number => {
  for (let at = 0; at < 3; at++) collectGarbage();
  return process.memoryUsage().heapUsed;
};

it("keeps memory and disk bounded in a day of many sessions, each of which is told something", async () => {
  const sessions = campaignSize({ short: 300, full: 10_000 });
  const begin = Date.now() - DAY_MS;
  let now = begin;
  const door = openDoor(state, () => now);
  const before = heap();
  let told = 0;
  for (let session = 0; session < sessions; session++) {
    now = begin + (session / sessions) * DAY_MS;
    let said = "";
    for (let at = 0; at < CALLS; at++) {
      const call = { tool_name: "Bash", tool_input: { command: `cat ${at < 9 ? at : "x"}` }, tool_use_id: `t${at}` };
      const base = { session_id: `s${session}`, transcript_path: "t", cwd: "/work", ...call };
      said += await door.tell("hook/claude-code", { ...base, hook_event_name: "PreToolUse" });
      const tool_response = { stdout: at < 9 ? `line ${at}\n`.repeat(40) : "same", stderr: "" };
      said += await door.tell("hook/claude-code", { ...base, hook_event_name: "PostToolUse", tool_response });
    }
    if (said !== "") told++;
  }
  const files = readdirSync(join(state, "sessions"));
  const bytes = files.reduce((sum, name) => sum + statSync(join(state, "sessions", name)).size, 0);
  const megabytes = (heap() - before) / 1e6;
  process.stdout.write(
    `${sessions} sessions: ${megabytes.toFixed(0)} MB of memory, ${files.length} files of ${(bytes / 1e6).toFixed(1)} MB\n`,
  );

  expect(told).toBe(sessions);
  expect(door.faults).toEqual([]);
  expect(door.sessions.size).toBe(256);
  // A tidy-up comes once an hour.
  expect(files.length).toBeLessThanOrEqual(1_000 + Math.ceil(sessions / 24));
  expect(megabytes).toBeLessThan(100);
});
