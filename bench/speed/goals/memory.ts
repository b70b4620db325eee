import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGuard } from "../../../packages/doomloop/src/index.ts";
import type { Bench } from "../goal.ts";

const GUARDS = 1_000;
const CALLS = 20;

/** What a guard takes in its process after 20 calls: what many runs in one process are limited by. */
export const memory: Bench = () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const used = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const guards = Array.from({ length: GUARDS }, () => createGuard());
  const fresh = (used() - before) / GUARDS / 1_000;
  for (let at = 0; at < CALLS; at++) {
    for (const [run, guard] of guards.entries()) {
      const times = { call: at * 4_000, result: at * 4_000 + 50 };
      guard.observe({
        type: "call",
        id: `${at}`,
        tool: "read_file",
        args: { path: `src/${run}-${at}.ts` },
        at: times.call,
      });
      const output = `export const value${run} = ${at};\n`.repeat(10);
      guard.observe({ type: "result", id: `${at}`, output, at: times.result });
    }
  }
  return {
    what: "the memory of a guard in its process, after 20 calls",
    measured: (used() - before) / GUARDS / 1_000,
    goal: 30,
    limit: 75,
    unit: "KB",
    detail: `${GUARDS} guards; ${fresh.toFixed(0)} KB before the first call, ${snapshotOf(guards[0]!)} KB as a snapshot`,
  };
};

function snapshotOf(guard: { snapshot(): unknown }): string {
  return (JSON.stringify(guard.snapshot()).length / 1_000).toFixed(0);
}
