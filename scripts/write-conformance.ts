import { seededDraw } from "../test/seeded-draw.ts";
import { healthyRuns } from "./conformance/healthy-runs.ts";
import { loopingRuns } from "./conformance/looping-runs.ts";
import { oddRuns } from "./conformance/odd-runs.ts";
import { playRun } from "./conformance/played-run.ts";
import { keepFile, report } from "./repository.ts";

const SEED = 20_261_117;

if (import.meta.main) {
  const text = conformanceText();
  const faults = keepFile("clients/conformance.jsonl", text, "scripts/write-conformance.ts");
  report(faults, `${text.split("\n").length - 1} runs`);
}

/** The file that clients in any language play to the service: a run a line, with the decisions of today's guard. */
export function conformanceText(): string {
  const draw = seededDraw(SEED);
  const scripts = [...healthyRuns, ...loopingRuns, ...oddRuns];
  const runs = scripts.flatMap((script) =>
    Array.from({ length: script.times }, (_, at) => playRun(script, at + 1, draw)),
  );
  // Some languages end a line at U+2028.
  return runs.map((run) => `${JSON.stringify(run).replaceAll("\u2028", "\\u2028")}\n`).join("");
}
