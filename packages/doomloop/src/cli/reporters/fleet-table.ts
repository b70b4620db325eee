import type { FleetReading, SeenSuspect } from "../../fleet/inspect/read-fleet.ts";
import { MAX_COUNTED } from "../../fleet/redis/dead-ends.ts";
import { count } from "../../scan/report/count.ts";
import { spanInWords } from "../../scan/report/span-in-words.ts";
import { cutToWidth, printable } from "../../system/printable.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { fleetSummary } from "./fleet-summary.ts";

/** What is known of the fleet at one moment. */
export interface FleetMoment {
  /** The latest that was read; undefined if nothing was yet. */
  readonly reading: FleetReading | undefined;
  /** Why what is shown is not up to date. */
  readonly fault?: string | undefined;
}

export interface FleetTableOptions {
  /** @default Number.POSITIVE_INFINITY */
  readonly width?: number | undefined;
  /**
   * Lines there is room for.
   * @default Number.POSITIVE_INFINITY
   */
  readonly height?: number | undefined;
  /**
   * Says what has changed since the moment before.
   * @default false
   */
  readonly showChange?: boolean;
  /**
   * Makes headings stand out.
   * @default leaves them as they are
   */
  readonly emphasise?: (text: string) => string;
}

/** Says which calls get nobody further. Remembers the moment before, to say what has changed. */
export interface FleetTable {
  /** Another moment has come. */
  take(moment: FleetMoment): void;
  /** The latest moment in lines that fit. The same however often it is asked for. */
  lines(options?: FleetTableOptions): readonly string[];
}

interface Row {
  readonly cells: readonly string[];
  readonly isDeadEnd: boolean;
}

interface Line {
  readonly text: string;
  readonly isRow: boolean;
}

const COLUMNS: readonly Column[] = [
  { heading: "tool", minimum: 8, cut: "middle" },
  { heading: "calls", align: "right" },
  { heading: "change", align: "right" },
  { heading: "processes", align: "right" },
  { heading: "counts for", align: "right", isOptional: true },
  { heading: "call", isOptional: true },
];
const CHANGE = COLUMNS.findIndex(({ heading }) => heading === "change");
/** Enough to tell two calls of one tool apart. */
const NAME_LENGTH = 8;
const BLANK: Line = { text: "", isRow: false };

export function createFleetTable(): FleetTable {
  let known: ReadonlyMap<string, number> | undefined;
  let summary = "";
  let faults: readonly string[] = [];
  let needed = "";
  let rows: readonly Row[] = [];

  const rowOf = (suspect: SeenSuspect): Row => ({
    isDeadEnd: suspect.isDeadEnd,
    cells: [
      printable(suspect.tool),
      atLeast(suspect.calls, suspect),
      known === undefined ? "" : changeOf(known.get(suspect.name), suspect.calls),
      atLeast(suspect.workers, suspect),
      spanInWords(suspect.lastsMs),
      suspect.name.slice(0, NAME_LENGTH),
    ],
  });

  return {
    take({ reading, fault }) {
      const suspects = reading?.suspects ?? [];
      const uncounted = reading?.fault && `not all could be counted: ${reading.fault}`;
      summary = reading === undefined ? "Nothing is known yet" : fleetSummary(reading);
      faults = [fault, uncounted].flatMap((each) => (each ? printable(each) : []));
      needed = neededIn(reading);
      rows = suspects.map(rowOf);
      if (reading !== undefined) known = new Map(suspects.map(({ name, calls }) => [name, calls]));
    },
    lines({ width = Infinity, height = Infinity, showChange = false, emphasise = (text: string) => text } = {}) {
      const chosen = <Item>(items: readonly Item[]) => (showChange ? items : items.toSpliced(CHANGE, 1));
      const columns = chosen(COLUMNS);
      const format = layOut(
        columns,
        rows.map(({ cells }) => chosen(cells)),
        width,
      );
      const heading = (text: string): Line => ({ text: emphasise(cutToWidth(text, width)), isRow: false });
      const names = heading(format(columns.map((column) => column.heading)));
      const rowsOf = (isDeadEnd: boolean): Line[] =>
        rows
          .filter((row) => row.isDeadEnd === isDeadEnd)
          .map(({ cells }) => ({ text: cutToWidth(format(chosen(cells)), width), isRow: true }));
      const [deadEnds, suspects] = [rowsOf(true), rowsOf(false)];
      const all = [
        heading(summary),
        ...faults.map((text) => ({ text: cutToWidth(text, width), isRow: false })),
        ...(deadEnds.length > 0 ? [BLANK, names, ...deadEnds] : []),
        ...(suspects.length > 0 ? [BLANK, heading(`${count(suspects.length, "suspect")}: ${needed}`)] : []),
        ...(suspects.length > 0 && deadEnds.length === 0 ? [names] : []),
        ...suspects,
      ];
      const shown = fitted(all, height);
      const left = all.slice(shown.length).filter(({ isRow }) => isRow).length;
      const more = left > 0 ? [cutToWidth(`and ${left.toLocaleString("en-US")} more`, width)] : [];
      return [...shown.map(({ text }) => text), ...more];
    },
  };
}

/** The first of them that leave room for one more line. A heading without a row below it is left out. */
function fitted(lines: readonly Line[], height: number): readonly Line[] {
  if (lines.length <= height) return lines;
  const shown = lines.slice(0, Math.max(1, height - 1));
  return shown.slice(0, Math.max(1, shown.findLastIndex(({ isRow }) => isRow) + 1));
}

function neededIn(reading: FleetReading | undefined): string {
  if (reading?.settings === undefined) return "how many calls make a dead end is not known";
  const { calls, workers } = reading.settings;
  return `a dead end takes ${count(calls, "call")} by ${workers} processes`;
}

function atLeast(counted: number, { isOfNow }: SeenSuspect): string {
  return isOfNow && counted < MAX_COUNTED ? String(counted) : `${counted}+`;
}

function changeOf(before: number | undefined, now: number): string {
  if (before === undefined) return "new";
  if (before === now) return "";
  return now > before ? `+${now - before}` : `-${before - now}`;
}
