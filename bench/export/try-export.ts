import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import type { GuardOptions } from "../../packages/doomloop/src/index.ts";
import { reproduceRun } from "../../packages/doomloop/src/scan/export/reproduce-run.ts";
import { randomFrom } from "../quality/random.ts";

/** The result of redacting one run. */
interface TriedExport {
  readonly isSame: boolean;
  /** How often the run was redacted until it was judged alike or given up. */
  readonly attempts: number;
  /** Whether the guard decides anything in the run. */
  readonly hasDecisions: boolean;
  readonly characters: number;
  readonly redactedCharacters: number;
  readonly seconds: number;
  /** The first difference. */
  readonly difference: string;
}

/** Redacts a run like the command, with random numbers that are the same each time. */
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

/** Runs of one kind, and how many of them were judged alike. */
export interface Tally {
  runs: number;
  same: number;
  /** The same at the first attempt. */
  atOnce: number;
  deciding: number;
  decidingSame: number;
  characters: number;
  redactedCharacters: number;
  seconds: number;
}

export function emptyTally(): Tally {
  return {
    ...{ runs: 0, same: 0, atOnce: 0, deciding: 0, decidingSame: 0 },
    ...{ characters: 0, redactedCharacters: 0, seconds: 0 },
  };
}

export function addTo(tally: Tally, tried: TriedExport): void {
  tally.runs++;
  if (tried.isSame) tally.same++;
  if (tried.isSame && tried.attempts === 1) tally.atOnce++;
  if (tried.hasDecisions) tally.deciding++;
  if (tried.hasDecisions && tried.isSame) tally.decidingSame++;
  tally.characters += tried.characters;
  tally.redactedCharacters += tried.redactedCharacters;
  tally.seconds += tried.seconds;
}

/** A Markdown table with one row for each kind. */
export function linesOf(rows: readonly (readonly [name: string, tally: Tally])[]): readonly string[] {
  return [
    "| runs | all | judged alike | at the first attempt | with decisions | judged alike | size of the export | ms a run |",
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    ...rows.map(([name, tally]) => {
      const { runs, same, atOnce, deciding, decidingSame, characters, redactedCharacters, seconds } = tally;
      const cells = [
        ...[name, runs, shareOf(same, runs), shareOf(atOnce, runs), deciding, shareOf(decidingSame, deciding)],
        ...[shareOf(redactedCharacters, characters), ((seconds / runs) * 1000).toFixed(0)],
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((part / whole) * 100).toFixed(2)} %`;
}
