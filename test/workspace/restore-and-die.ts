import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Restores a checkpoint, and kills itself before a step: a call that changes a file or a folder. Prints the number of steps if it reaches
 * the end.
 *
 * `restore-and-die.ts <root> <state> <step> <checkpoint>`
 */
const [root = "", stateDirectory = "", last = "", checkpoint = ""] = process.argv.slice(2);
const CHANGING = [
  "chmodSync",
  "mkdirSync",
  "mkdtempSync",
  "renameSync",
  "rmdirSync",
  "rmSync",
  "writeFileSync",
] as const;
let steps = 0;
for (const name of CHANGING) {
  const change = fs[name] as (...words: unknown[]) => unknown;
  const counted = (...words: unknown[]): unknown => {
    if (++steps === Number(last)) process.kill(process.pid, "SIGKILL");
    return change(...words);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();
const { createWorkspace } = await import("../../packages/doomloop/src/workspace/index.ts");
await createWorkspace({ root, stateDirectory }).restore(checkpoint);
process.stdout.write(String(steps));
