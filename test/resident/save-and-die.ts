import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Saves a session twice, and is killed at a call of the file system during the second time: `save-and-die.ts STATE N before|after`. Prints
 * `done` if there are fewer calls than that.
 */
const [state = "", number = "0", when = "before"] = process.argv.slice(2);
let calls = Number.NEGATIVE_INFINITY;
for (const name of [
  "lstatSync",
  "mkdirSync",
  "rmSync",
  "writeFileSync",
  "renameSync",
  "openSync",
  "readdirSync",
] as const) {
  const original = fs[name] as (...words: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...words: unknown[]) => {
      const isLast = ++calls === Number(number);
      if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
      const result = original(...words);
      if (isLast) process.kill(process.pid, "SIGKILL");
      return result;
    },
  });
}
syncBuiltinESMExports();

const { createSessions } = await import("../../packages/doomloop/src/service/sessions.ts");
const { createGuard } = await import("../../packages/doomloop/src/index.ts");
let now = 1_000_000_000_000;
const sessions = createSessions({
  state,
  now: () => now,
  onFault: (fault) => void process.stdout.write(`fault ${String(fault)}\n`),
});
const save = (at: number): void => {
  now += 10_000;
  sessions.set("0".repeat(32), {
    guard: createGuard().snapshot(),
    madeWith: "",
    run: { words: {}, names: {}, refused: [], stop: undefined, findings: [] } as never,
    at,
    missedEvents: 0,
    hasSpoken: true,
  });
  sessions.save();
};
save(1);
calls = 0;
save(2);
process.stdout.write("done\n");
