import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

/**
 * Tries the state of hook processes as it is published: 1,000 processes, 16 at a time; and every kill, stop and fault at every system
 * call on the state's folder, which `npm test` tries in turn. Needs strace, and root for disks that are full. Words go to vitest.
 */
const root = resolve(import.meta.dirname, "..");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const folders = ["test/journal", "packages/doomloop/src/agents/journal"];

const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--testTimeout=0", ...folders, ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, DOOMLOOP_CAMPAIGNS: "full" },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
