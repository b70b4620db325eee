import { countOf, type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readRegularFile } from "../../transcripts/open-regular-file.ts";
import type { TranscriptUsage } from "../../transcripts/reader.ts";

/** What the SDK saves beside the events of a run. */
export interface BaseState {
  readonly project: string | undefined;
  readonly model: string | undefined;
  /** What all models of the run cost. */
  readonly costUsd: number;
  /** The usage of the answer with this id. */
  usageOf(response: string | undefined): TranscriptUsage | undefined;
}

const MAX_BYTES = 16_777_216;
const MAX_USAGES = 65_536;

/** Reads `base_state.json`. A missing or broken file adds nothing. */
export function readBaseState(path: string): BaseState {
  const state = readRecord(path);
  const usages = new Map<string, TranscriptUsage>();
  let costUsd = 0;
  for (const metrics of Object.values(recordOf(recordOf(state?.stats)?.usage_to_metrics) ?? {})) {
    addUsages(recordOf(metrics), usages);
    costUsd += countOf(recordOf(metrics)?.accumulated_cost);
  }
  return {
    project: textOf(recordOf(state?.workspace)?.working_dir),
    model: textOf(recordOf(recordOf(state?.agent)?.llm)?.model),
    costUsd,
    usageOf: (response) => (response === undefined ? undefined : usages.get(response)),
  };
}

/** One entry for each request. The costs are in another list, in the same order if both are complete. */
function addUsages(metrics: ForeignRecord | undefined, usages: Map<string, TranscriptUsage>): void {
  const entries = listOf(metrics?.token_usages);
  const costs = listOf(metrics?.costs);
  for (const [at, entry] of entries.entries()) {
    const usage = recordOf(entry);
    const id = textOf(usage?.response_id);
    if (usage === undefined || id === undefined || usages.size >= MAX_USAGES) continue;
    const cacheReadTokens = countOf(usage.cache_read_tokens);
    const cacheWriteTokens = countOf(usage.cache_write_tokens);
    const cost = costs.length === entries.length ? recordOf(costs[at])?.cost : undefined;
    usages.set(id, {
      id,
      model: textOf(usage.model),
      inputTokens: Math.max(0, countOf(usage.prompt_tokens) - cacheReadTokens - cacheWriteTokens),
      outputTokens: countOf(usage.completion_tokens),
      cacheReadTokens,
      cacheWriteTokens,
      costUsd: typeof cost === "number" ? countOf(cost) : undefined,
    });
  }
}

function readRecord(path: string): ForeignRecord | undefined {
  try {
    return recordOf(JSON.parse(readRegularFile(path, MAX_BYTES)?.toString("utf8") ?? ""));
  } catch {
    return undefined;
  }
}
