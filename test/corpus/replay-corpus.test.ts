import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { replayJson } from "../../packages/doomloop/src/cli/commands/replay.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { replayRun } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { isFull } from "../campaign-size.ts";

const folder = process.env.DOOMLOOP_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const traces = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl.gz")) : [];
const KNOWN_RUNS = 18_037;
const KNOWN_CALLS = 168_712;

/** A build replays one in so many: `npm run bench quality` replays all of them, and fails at a fault. */
const EVERY = isFull ? 1 : 5;
/** Of those that are replayed, one in so many is replayed again once all were: what came in between changes nothing. */
const AGAIN_EVERY = 10;

interface Pass {
  runs: number;
  calls: number;
  faults: number;
  skipped: number;
  /** Of those that were replayed again, the runs that came out differently. */
  different: string[];
}

/** Reads every run of the corpus, replays its share once, and some of those twice. */
async function pass(): Promise<Pass> {
  const total = { runs: 0, calls: 0, faults: 0, skipped: 0 };
  const again: { run: string; events: readonly AgentEvent[]; printed: string }[] = [];
  for (const name of traces) {
    const runs = readTrace(openTrace(join(folder, name)), { onSkipped: () => void total.skipped++ });
    for await (const { run, events } of runs) {
      total.calls += events.filter(({ type }) => type === "call").length;
      if (total.runs++ % EVERY !== 0) continue;
      const replay = replayRun(events);
      total.faults += replay.faults;
      total.skipped += replay.badEvents;
      const printed = replayJson(run, replay);
      if (total.runs % (EVERY * AGAIN_EVERY) === 1) again.push({ run, events, printed });
    }
  }
  const different = again.filter(({ run, events, printed }) => replayJson(run, replayRun(events)) !== printed);
  return { ...total, different: different.map(({ run }) => run) };
}

describe("the corpus", () => {
  if (traces.length === 0) {
    it.skip("is replayed: no recorded runs here, DOOMLOOP_CORPUS names their folder", () => {});
    return;
  }

  it("replays without a fault, and to the same bytes each time", async () => {
    expect(await pass()).toEqual({ runs: KNOWN_RUNS, calls: KNOWN_CALLS, faults: 0, skipped: 0, different: [] });
  });
});
