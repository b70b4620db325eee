import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { HookState } from "../../packages/doomloop/src/agents/hook/hook-state.ts";
import { openJournal } from "../../packages/doomloop/src/agents/journal/journal.ts";
import { createCoreGuard } from "../../packages/doomloop/src/core/guard.ts";
import type { GuardStats } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";
import { readHookTally } from "../../packages/doomloop/src/scan/read-hook-tally.ts";
import { campaignSize } from "../campaign-size.ts";
import type { NudgeOrder } from "./nudge-process.ts";

const PROGRAM = resolve(import.meta.dirname, "nudge-process.ts");
const AT_A_TIME = 4;
const session = "a session";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-count-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const run = (order: Omit<NudgeOrder, "state" | "session">): Promise<unknown> =>
  promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify({ ...order, state, session })]);

/** What the guard itself has counted, in the state that all processes have left. */
function kept(): GuardStats {
  const journal = openJournal<HookState>({ directory: join(state, "runs"), session });
  const update = journal.update((saved) => ({ result: saved }));
  if (!update.isKept || update.result === undefined) throw new Error("no state was kept");
  return createCoreGuard({ snapshot: update.result.guard }, platform).stats();
}

it.each([
  { title: "while each waits for the others", budgetMs: 600_000 },
  { title: "while some updates are given up", budgetMs: 0 },
])("counts each nudge and what came of it once, $title", async ({ budgetMs }) => {
  const commands = Array.from({ length: campaignSize({ short: 12, full: 60 }) }, () => "cat notes.md");
  const names = Array.from({ length: AT_A_TIME }, (_, index) => `process-${index}`);
  await Promise.all(names.map((name) => run({ name, budgetMs, commands })));
  // Told at the third call and at the fifth, and over after the sixth.
  const others = Array.from({ length: 12 }, (_, at) => `cat other-${Math.max(5, at)}.md`);
  await run({ name: "last", budgetMs: 600_000, commands: others });

  const { nudges, decisions } = kept();
  const tally = readHookTally(state, { since: undefined, until: undefined });
  expect(tally).toMatchObject(nudges);
  expect(nudges.ignored).toBeGreaterThan(0);
  expect(nudges.obeyed).toBeGreaterThan(0);
  expect(tally?.words).toBeGreaterThan(0);
  expect(tally?.words).toBeLessThanOrEqual(decisions.nudge + decisions.block + decisions.stop);
});
