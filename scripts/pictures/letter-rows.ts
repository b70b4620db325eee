import type { LoopSummary, ReportStep } from "../../packages/doomloop/src/scan/report/report.ts";
import { stepColour } from "../../packages/viewer/src/run/step-colour.ts";
import { chooseGrouping, type Grouping, groupKey, stepGroups } from "../../packages/viewer/src/run/step-groups.ts";
import type { CallRow, Row, WordsRow } from "./play-run.ts";

export interface Letter {
  readonly letter: string;
  /** The class of the tile's colour; pictures are too small for the patterns of the eighth and further. */
  readonly colour: string;
}

export interface Lettering {
  /** What equal letters mean; undefined where no two steps are equal. */
  readonly grouping: Grouping | undefined;
  /** The letter of each row that has a tile: equal ones share it. */
  letterOf(row: CallRow | WordsRow): Letter;
}

const SINGLE: Letter = { letter: "·", colour: colourOf(null) };

/** Gives equal steps a letter and a colour, by the rules of the report page. */
export function letterRows(rows: readonly Row[], loops: readonly LoopSummary[]): Lettering {
  const steps = new Map<Row, ReportStep>();
  for (const [place, row] of rows.entries()) if ("said" in row) steps.set(row, stepOf(row, place));
  const all = [...steps.values()];
  const grouping = chooseGrouping(all, loops);
  const groups = stepGroups(all, loops, grouping);
  return {
    grouping: groups.size > 0 ? grouping : undefined,
    letterOf(row) {
      const step = steps.get(row);
      const group = step && groups.get(groupKey(step, grouping) ?? "");
      return group === undefined ? SINGLE : { letter: group.letter, colour: colourOf(group.index) };
    },
  };
}

function stepOf(row: CallRow | WordsRow, place: number): ReportStep {
  const isCall = row.type === "call";
  const tool = isCall ? row.tool : row.type;
  return {
    call: place,
    tool,
    label: tool,
    same: row.same,
    outcome: isCall ? row.outcome : row.same,
    isFailing: isCall && row.state === "failed",
    at: null,
  };
}

function colourOf(index: number | null): string {
  return stepColour(index).split(" ", 1)[0]!;
}
