import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HookState } from "../../packages/doomloop/src/agents/hook/hook-state.ts";
import { countMissedEvents } from "../../packages/doomloop/src/agents/hook/missed-events.ts";
import { openJournal } from "../../packages/doomloop/src/agents/journal/journal.ts";
import { bundleHook } from "../../scripts/package/bundle-hook.ts";
import { campaignSize } from "../campaign-size.ts";

const AT_A_TIME = 16;
const SESSION = "many hooks at a time";
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "doomloop-hooks-"));
  await bundleHook(join(home, "hook"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** The hook as an agent starts it, with the second that it has. */
function runHook(at: number): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [join(home, "hook", "main.cjs"), "--host", "claude-code"], {
    env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (printed += piece));
  child.stdin.end(
    JSON.stringify({
      session_id: SESSION,
      transcript_path: "session.jsonl",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: `cat ${at}` },
      tool_use_id: `call-${at}`,
    }),
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, printed }));
  });
}

it("hears every event of many hooks at a time, or knows of each that it did not hear", async () => {
  const size = campaignSize({ short: 64, full: 1000 });
  const ends = [await runHook(0)];
  let next = 1;
  const startMore = async (): Promise<void> => {
    while (next < size) ends.push(await runHook(next++));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, startMore));

  expect(ends.filter(({ code, printed }) => code !== 0 || printed !== "")).toEqual([]);
  const directory = join(home, "doomloop", "runs");
  const kept = openJournal<HookState>({ directory, session: SESSION }).update((state) => ({ result: state }));
  const heard = kept.isKept ? (kept.result?.guard.plain.run.calls ?? 0) : 0;
  const missedEvents = countMissedEvents(directory);
  process.stderr.write(`${size} hooks, ${AT_A_TIME} at a time: ${heard} heard, ${missedEvents} not\n`);
  expect(heard + missedEvents).toBe(size);
});
