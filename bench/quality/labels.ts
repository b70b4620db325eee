import { readFileSync } from "node:fs";

/** A stretch of a run that somebody judged. */
export interface LabelledWindow {
  readonly run: string;
  /** The first call in it, and the first after it. */
  readonly from: number;
  readonly to: number;
  /** Whether the agent went in circles there. */
  readonly isLoop: boolean;
  /** A decision from here, */
  readonly onset: number;
  /** to the call after this one, is a hit. */
  readonly end: number;
  /** The call before which a careful supervisor would have stepped in. */
  readonly interrupt?: number;
  /** How the window was drawn: `a` and `d` without regard to our guard. */
  readonly stratum?: string;
}

export interface Labels {
  readonly windows: readonly LabelledWindow[];
  /** Windows on which the judges differ: not scored. */
  readonly disputed: number;
}

interface LabelLine {
  readonly run: string;
  readonly window: readonly [number, number];
  readonly verdict: string;
  readonly onset?: number | null;
  readonly end?: number | null;
  readonly interrupt?: number | null;
  readonly stratum?: string;
}

const LOOPS = new Set(["loop", "stalled"]);

/** Reads files of labels: JSON Lines, one window a line. Throws for a line that is none. */
export function readLabels(paths: readonly string[]): Labels {
  const files = paths.map((path) => parseLabels(readFileSync(path, "utf8")));
  return {
    windows: files.flatMap(({ windows }) => windows),
    disputed: files.reduce((sum, { disputed }) => sum + disputed, 0),
  };
}

export function parseLabels(text: string): Labels {
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
  const all = lines.filter(({ line }) => line.trim() !== "").map(({ line, number }) => parseLine(line, number));
  const scored = all.filter(({ verdict }) => verdict !== "disputed");
  return { windows: scored.map(windowOf), disputed: all.length - scored.length };
}

function windowOf({ run, window: [from, to], verdict, onset, end, interrupt, stratum }: LabelLine): LabelledWindow {
  return {
    run,
    from,
    to,
    isLoop: LOOPS.has(verdict),
    onset: onset ?? from,
    end: end ?? to - 1,
    ...(typeof interrupt === "number" ? { interrupt } : {}),
    ...(stratum === undefined ? {} : { stratum }),
  };
}

function parseLine(line: string, number: number): LabelLine {
  const label = JSON.parse(line) as Partial<LabelLine> | null;
  const isLabel =
    typeof label?.run === "string" && typeof label.verdict === "string" && label.window?.every(Number.isInteger);
  if (!isLabel || label.window?.length !== 2)
    throw new Error(`labels, line ${number}: run, window and verdict are required`);
  return label as LabelLine;
}
