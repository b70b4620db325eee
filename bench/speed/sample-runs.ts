import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";

const WORDS =
  "the run reads a file then looks for what the test says and finds that one value is not what it should be so it changes a line and tries again while the log tells where the fault may lie".split(
    " ",
  );

export interface Sample {
  readonly runs: readonly (readonly AgentEvent[])[];
  /** Calls in all runs. */
  readonly steps: number;
  readonly origin: "recorded runs" | "generated runs";
}

const CORPUS = process.env.DOOMLOOP_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const RUNS_PER_SOURCE = 120;
const GENERATED_RUNS = 500;

/** Whole runs, evenly spread over all sources of the corpus; generated runs if there is no corpus. */
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

/** Leaves out text events, which have a goal of their own. */
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

/** Pseudo-random numbers that are the same every time. */
export function createNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * limit);
  };
}

/** Meaningless words of about this length. */
export function prose(length: number, next: (limit: number) => number): string {
  const words: string[] = [];
  for (let written = 0; written < length; ) {
    const word =
      next(9) === 0
        ? `${WORDS[next(WORDS.length)]}.\n`
        : `${WORDS[next(WORDS.length)]}${next(7) === 0 ? next(1000) : ""}`;
    words.push(word);
    written += word.length + 1;
  }
  return words.join(" ");
}

/** A run like those of coding agents: reads, searches, edits and tests, with some repeats. */
export function generateRun(calls: number, seed: number): AgentEvent[] {
  const next = createNumbers(seed);
  const events: AgentEvent[] = [];
  for (let call = 0; call < calls; call++) {
    const id = `call_${seed}_${call}`;
    events.push({ type: "call", id, ...work(call, next) });
    events.push({ type: "result", id, output: prose([80, 300, 900, 3000][next(4)]!, next) });
  }
  return events;
}

function work(call: number, next: (limit: number) => number): { tool: string; args: Record<string, unknown> } {
  const path = `src/part-${100 + next(40)}/file-${100_000 + (next(5) === 0 ? next(20) : call)}.ts`;
  switch (next(5)) {
    case 0:
      return { tool: "read_file", args: { path, offset: next(20) * 100, limit: 100 } };
    case 1:
      return {
        tool: "bash",
        args: { command: `cd src && grep -rn "${WORDS[next(WORDS.length)]}${call}" ${path} | head -20` },
      };
    case 2:
      return { tool: "bash", args: { command: `npx vitest run ${path} 2>&1 | tail -30` } };
    case 3:
      return { tool: "edit_file", args: { path, old_text: prose(120, next), new_text: prose(160, next) } };
    default:
      return { tool: "search", args: { query: prose(30, next) } };
  }
}
