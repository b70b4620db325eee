import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { replayRun } from "../../packages/doomloop/src/cli/replay/replay-run.ts";
import { replayJson } from "../../packages/doomloop/src/cli/reporters/replay-json.ts";
import { openTrace } from "../../packages/doomloop/src/transcripts/trace/open-trace.ts";
import { readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";

const folder = process.env.DOOMLOOP_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const traces = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl.gz")) : [];
const KNOWN_RUNS = 18_037;
const KNOWN_CALLS = 168_712;
const TIMEOUT_MS = 180_000;

interface Pass {
  runs: number;
  calls: number;
  faults: number;
  skipped: number;
  /** Of all that would have been printed. */
  digest: string;
}

/** Replays every run of the corpus once. */
async function pass(): Promise<Pass> {
  const hash = createHash("sha256");
  const reporter = replayJson();
  const total = { runs: 0, calls: 0, faults: 0, skipped: 0 };
  for (const name of traces) {
    const runs = readTrace(openTrace(join(folder, name)), { onSkipped: () => void total.skipped++ });
    for await (const { run, events } of runs) {
      const replay = replayRun(events);
      total.runs++;
      total.calls += replay.calls;
      total.faults += replay.faults;
      total.skipped += replay.badEvents;
      hash.update(reporter.add(run, replay));
    }
  }
  return { ...total, digest: hash.digest("hex") };
}

describe("the corpus", () => {
  if (traces.length === 0) {
    it.skip("is replayed: no recorded runs here, DOOMLOOP_CORPUS names their folder", () => {});
    return;
  }

  it(
    "replays without a fault, and to the same bytes each time",
    async () => {
      const first = await pass();
      const second = await pass();

      expect(first).toMatchObject({ runs: KNOWN_RUNS, calls: KNOWN_CALLS, faults: 0, skipped: 0 });
      expect(second).toEqual(first);
    },
    TIMEOUT_MS,
  );
});
