import { printable } from "../../system/printable.ts";
import type { SkipReason } from "../../transcripts/record-lines.ts";
import { count } from "../report/words.ts";

/** Collects problems with the input, to report them once at the end. */
export interface Notices {
  skipLine(input: string, line: number, reason: SkipReason): void;
  skipEvents(run: string, events: number): void;
  skipOptions(run: string): void;
  noteFault(run: string): void;
  readonly hasFault: boolean;
  /** One line for each kind of problem. */
  lines(): readonly string[];
}

interface Tally {
  count: number;
  /** The first place. */
  first: string;
}

const MAX_NAME = 120;

export function createNotices(): Notices {
  const malformed = emptyTally();
  const tooLong = emptyTally();
  const badEvents = emptyTally();
  const badOptions = emptyTally();
  const faults = emptyTally();
  return {
    skipLine(input, line, reason) {
      add(reason === "too-long" ? tooLong : malformed, 1, `${input}, line ${line}`);
    },
    skipEvents: (run, events) => add(badEvents, events, run),
    skipOptions: (run) => add(badOptions, 1, run),
    noteFault: (run) => add(faults, 1, run),
    get hasFault() {
      return faults.count > 0;
    },
    lines: () => [
      ...told(malformed, "line without a run, skipped"),
      ...told(tooLong, "line over 256 MB, skipped"),
      ...told(badEvents, "event without a type, skipped"),
      ...told(badOptions, "run with invalid options, judged without them"),
      ...told(faults, "run with a fault inside the guard"),
    ],
  };
}

function emptyTally(): Tally {
  return { count: 0, first: "" };
}

function add(tally: Tally, number: number, place: string): void {
  if (number === 0) return;
  if (tally.count === 0) tally.first = place;
  tally.count += number;
}

function told(tally: Tally, what: string): string[] {
  if (tally.count === 0) return [];
  const place = printable(tally.first.slice(0, MAX_NAME));
  return [`${count(tally.count, what)} (${tally.count === 1 ? "" : "first: "}${place})`];
}
