import type { Action } from "../../core/decision.ts";
import type { Replay, ReplayedDecision } from "../replay/replay-run.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { printable } from "../terminal/printable.ts";
import { createReplaySummary } from "./replay-summary.ts";
import type { ReplayReporter } from "./reporter.ts";

export interface ReplayTableOptions {
  /**
   * Columns of the terminal.
   * @default Number.POSITIVE_INFINITY
   */
  readonly width?: number;
}

const COLUMNS: readonly Column[] = [
  { heading: "run", minimum: 16, weight: 1.6, cut: "middle" },
  { heading: "calls", align: "right" },
  { heading: "first", align: "right" },
  { heading: "worst" },
  { heading: "kinds", minimum: 14, isOptional: true },
  { heading: "tools", minimum: 12, isOptional: true },
];

/** Rows that decide how wide the columns are; later ones have to fit. */
const MEASURED_ROWS = 500;
const MAX_NAME = 300;

const HEIGHT: Readonly<Record<Action, number>> = { continue: 0, nudge: 1, block: 2, restart: 3, stop: 4 };

/** A table of the runs that loop, for people, and a line that sums up. */
export function replayTable(options: ReplayTableOptions = {}): ReplayReporter {
  const { width = Number.POSITIVE_INFINITY } = options;
  const summary = createReplaySummary();
  let waiting: string[][] = [];
  let format: ((cells: readonly string[]) => string) | undefined;

  const flush = (): string => {
    if (waiting.length === 0) return "";
    const isFirst = format === undefined;
    format ??= layOut(COLUMNS, waiting, width);
    const rows = isFirst ? [COLUMNS.map(({ heading }) => heading), ...waiting] : waiting;
    waiting = [];
    return `${rows.map(format).join("\n")}\n`;
  };

  return {
    add(run, replay) {
      summary.add(replay);
      if (replay.decisions.length === 0) return "";
      waiting.push(rowOf(run, replay));
      return format !== undefined || waiting.length >= MEASURED_ROWS ? flush() : "";
    },
    end() {
      const rest = flush();
      return `${rest}${format === undefined ? "" : "\n"}${summary.text()}\n`;
    },
  };
}

function rowOf(run: string, { calls, decisions }: Replay): string[] {
  return [
    printable(run.slice(0, MAX_NAME)),
    String(calls),
    String(decisions[0]!.call),
    worstOf(decisions),
    listOf(decisions.map(({ kind }) => kind)),
    listOf(decisions.flatMap(({ tools }) => tools).map((tool) => printable(tool.slice(0, MAX_NAME)))),
  ];
}

function worstOf(decisions: readonly ReplayedDecision[]): Action {
  return decisions.reduce<Action>((worst, { action }) => (HEIGHT[action] > HEIGHT[worst] ? action : worst), "continue");
}

/** Each once, in the order of their first coming. */
function listOf(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}
