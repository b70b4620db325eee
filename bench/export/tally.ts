import type { TriedExport } from "./try-export.ts";

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

/** A table, one kind a row. */
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
