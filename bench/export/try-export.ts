import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import type { GuardOptions } from "../../packages/doomloop/src/core/options.ts";
import { reproduceRun } from "../../packages/doomloop/src/scan/export/reproduce-run.ts";
import { randomFrom } from "../quality/random.ts";

/** What came of redacting one run. */
export interface TriedExport {
  readonly isSame: boolean;
  /** How often it was redacted until it was judged alike, or given up. */
  readonly attempts: number;
  /** The guard decides something in it. */
  readonly hasDecisions: boolean;
  readonly characters: number;
  readonly redactedCharacters: number;
  readonly seconds: number;
  /** How the two differ first. */
  readonly difference: string;
}

/** Redacts a run as the command does, with numbers that are the same each time. */
export function tryExport(events: readonly AgentEvent[], options: GuardOptions, seed: number): TriedExport {
  const random = randomFrom(seed);
  const start = performance.now();
  const tried = reproduceRun(events, options, (limit) => Math.floor(random() * limit));
  const place = tried.decisions.findIndex((own, at) => JSON.stringify(own) !== JSON.stringify(tried.redacted[at]));
  const at = place < 0 ? tried.decisions.length : place;
  return {
    isSame: tried.isSame,
    attempts: tried.attempts,
    hasDecisions: tried.decisions.length > 0,
    characters: JSON.stringify(events).length,
    redactedCharacters: JSON.stringify(tried.events).length,
    seconds: (performance.now() - start) / 1000,
    difference: `${JSON.stringify(tried.decisions[at])} became ${JSON.stringify(tried.redacted[at])}`,
  };
}
