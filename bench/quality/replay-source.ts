import { basename } from "node:path";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { judgeRun } from "./judge-run.ts";
import type { JudgedRun, JudgedSource } from "./judged-run.ts";
import { loadDetector } from "./load-detector.ts";
import type { ReplayOrder } from "./replay-order.ts";

/** Replays all runs of a trace file. It is read once: all that is asked of a run is asked while it is at hand. */
export async function replaySource({ path, ...order }: ReplayOrder): Promise<JudgedSource> {
  const given = order.detector === undefined ? undefined : await loadDetector(order.detector);
  const runs: JudgedRun[] = [];
  let skipped = 0;
  let faults = 0;
  for await (const trace of readTrace(openTrace(path), { onSkipped: () => void skipped++ })) {
    const judged = await judgeRun(trace, order, given);
    skipped += judged.badEvents;
    faults += judged.faults;
    runs.push(judged);
  }
  return { kind: order.kind, source: sourceOf(path), runs, skipped, faults };
}

/** A source is named as its file is. */
function sourceOf(path: string): string {
  return basename(path).replace(/\.jsonl(?:\.gz)?$/, "");
}
