import { hash } from "node:crypto";
import { createGuard } from "../../../packages/doomloop/src/index.ts";
import { createNumbers, prose } from "../generate-runs.ts";
import type { Bench } from "../goal.ts";
import { measure } from "../measure.ts";

const CHARACTERS = 1 << 20;
const ALLOWANCE_MS = 1;
const REPEATS = 8;

/** A result of a megabyte, against its SHA-256 and a millisecond: large outputs are read once, and not closely. */
export const largeResult: Bench = (clock) => {
  const outputs = Array.from({ length: REPEATS }, (_, seed) =>
    prose(CHARACTERS, createNumbers(seed)).slice(0, CHARACTERS),
  );
  const ids = outputs.map((_, at) => String(at));
  const { floor, ours } = measure(clock, {
    floor: () => () => {
      for (const output of outputs) hash("sha256", output);
    },
    ours: () => {
      const guard = createGuard();
      for (const id of ids) guard.observe({ type: "call", id, tool: "read_file", args: { path: "large.log" } });
      return () => {
        for (const [at, id] of ids.entries()) guard.observe({ type: "result", id, output: outputs[at] });
      };
    },
  });
  const oursMs = ours / REPEATS;
  const floorMs = floor / REPEATS;
  return {
    what: "a result of 1 MB, against its SHA-256 plus 1 ms",
    measured: oursMs / (floorMs + ALLOWANCE_MS),
    goal: 1,
    unit: "x",
    detail: `${oursMs.toFixed(2)} ms against ${floorMs.toFixed(2)} ms plus ${ALLOWANCE_MS} ms`,
  };
};
