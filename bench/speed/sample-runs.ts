import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { generateRun } from "./generate-runs.ts";

export interface Sample {
  readonly runs: readonly (readonly AgentEvent[])[];
  /** Calls in all runs. */
  readonly steps: number;
  readonly origin: "recorded runs" | "generated runs";
}

const CORPUS = process.env.DOOMLOOP_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const RUNS_PER_SOURCE = 120;
const GENERATED_RUNS = 500;

/** Whole runs from all sources of the corpus, evenly spread over each; generated ones where there is no corpus. */
export async function sampleRuns(): Promise<Sample> {
  const traces = existsSync(CORPUS) ? readdirSync(CORPUS).filter((name) => name.endsWith(".jsonl.gz")) : [];
  if (traces.length === 0) {
    const runs = Array.from({ length: GENERATED_RUNS }, (_, seed) => generateRun(10 + ((seed * 7) % 90), seed));
    return sampleOf(runs, "generated runs");
  }
  const runs: AgentEvent[][] = [];
  for (const name of traces) runs.push(...(await spread(join(CORPUS, name))));
  return sampleOf(runs, "recorded runs");
}

/** Words have a goal of their own: what is left are steps and what lies between them. */
async function spread(path: string): Promise<AgentEvent[][]> {
  const all: AgentEvent[][] = [];
  for await (const { events } of readTrace(openTrace(path))) {
    all.push(events.filter(({ type }) => type !== "text" && type !== "reasoning"));
  }
  const stride = Math.max(1, all.length / RUNS_PER_SOURCE);
  return Array.from({ length: Math.min(all.length, RUNS_PER_SOURCE) }, (_, at) => all[Math.floor(at * stride)]!);
}

function sampleOf(runs: AgentEvent[][], origin: Sample["origin"]): Sample {
  const steps = runs.reduce((sum, events) => sum + events.filter(({ type }) => type === "call").length, 0);
  return { runs, steps, origin };
}
