import type { ClearedCall } from "../../fleet/cleared-calls.ts";
import type { FleetReading, SeenSuspect } from "../../fleet/inspect/read-fleet.ts";
import type { FleetSettings } from "../../fleet/process/fleet-settings.ts";
import { isFleetMode } from "../../fleet/process/store-fleet-options.ts";
import { isDeadEnd, MAX_COUNTED, type Suspect } from "../../fleet/store.ts";
import { count, spanInWords } from "../../scan/report/words.ts";
import { cutToWidth, printable } from "../../system/printable.ts";
import { type Column, layOut } from "../terminal/columns.ts";

/** The state of the fleet at one moment. */
export interface FleetMoment {
  /** The latest reading. Undefined before the first. */
  readonly reading: FleetReading | undefined;
  /** Why the reading is out of date. */
  readonly fault?: string | undefined;
}

export interface FleetTableOptions {
  /** @default Number.POSITIVE_INFINITY */
  readonly width?: number | undefined;
  /**
   * The number of lines that fit.
   * @default Number.POSITIVE_INFINITY
   */
  readonly height?: number | undefined;
  /**
   * Shows changes since the previous moment.
   * @default false
   */
  readonly showChange?: boolean;
  /**
   * Makes headings stand out.
   * @default no emphasis
   */
  readonly emphasise?: (text: string) => string;
}

/** Shows which calls help no worker. Remembers the previous moment to show changes. */
interface FleetTable {
  /** Sets the latest moment. */
  take(moment: FleetMoment): void;
  /** The latest moment in lines that fit. Calling it again gives the same lines. */
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
/** Enough to tell two calls of a tool apart. */
const NAME_LENGTH = 8;
const BLANK: Line = { text: "", isRow: false };

export function createFleetTable(): FleetTable {
  let known: ReadonlyMap<string, number> | undefined;
  let summary = "";
  let faults: readonly string[] = [];
  let needed = "";
  let rows: readonly Row[] = [];
  let cleared: readonly string[] = [];

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
      const uncounted = reading?.fault && `the counts are incomplete: ${reading.fault}`;
      summary = reading === undefined ? "Nothing is known yet" : fleetSummary(reading);
      faults = [fault, uncounted].flatMap((each) => (each ? printable(each) : []));
      needed = neededIn(reading);
      rows = suspects.map(rowOf);
      cleared = (reading?.cleared ?? []).map(clearedLine);
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
        ...(cleared.length > 0 ? [BLANK, heading("Counts that were cleared, and by which process")] : []),
        ...cleared.map((text) => ({ text: cutToWidth(text, width), isRow: true })),
      ];
      const shown = fitted(all, height);
      const left = all.slice(shown.length).filter(({ isRow }) => isRow).length;
      const more = left > 0 ? [cutToWidth(`and ${left.toLocaleString("en-US")} more`, width)] : [];
      return [...shown.map(({ text }) => text), ...more];
    },
  };
}

function clearedLine({ name, tool, times, unsaid, by }: ClearedCall): string {
  const who = [by.length > 0 ? `by ${by.join(", ")}` : [], unsaid > 0 ? `${unsaid} without a word` : []].flat();
  return `${printable(tool)} ${name.slice(0, NAME_LENGTH)}: ${count(times, "time")}, ${who.join(", ")}`;
}

/** The first lines, with room for one more. A heading without a row below it is left out. */
function fitted(lines: readonly Line[], height: number): readonly Line[] {
  if (lines.length <= height) return lines;
  const shown = lines.slice(0, Math.max(1, height - 1));
  return shown.slice(0, Math.max(1, shown.findLastIndex(({ isRow }) => isRow) + 1));
}

function neededIn(reading: FleetReading | undefined): string {
  if (reading?.settings === undefined) return "the threshold for a dead end is unknown";
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

/** Beyond this number, the store estimates runs. */
const EXACT_RUNS = 100;

/** The state of a fleet in one line. */
function fleetSummary(reading: FleetReading): string {
  const { runs } = reading;
  return [
    deadEndsOf(reading),
    `switch ${switchInWords(reading.switch)}`,
    `${runs > EXACT_RUNS ? "about " : ""}${count(runs, "run")} active`,
  ].join(" | ");
}

/** The switch that an operator set. If it is not set, guards act unless they were switched before. */
export function switchInWords(text: string | undefined): string {
  if (text === undefined) return "not set (on)";
  return isFleetMode(text) ? text : "unreadable";
}

function deadEndsOf({ settings, isUsed, suspects }: FleetReading): string {
  const number = suspects.filter(({ isDeadEnd }) => isDeadEnd).length;
  if (number > 0) return number === 1 ? "1 dead end" : `${number.toLocaleString("en-US")} dead ends`;
  if (settings !== undefined) return "No dead ends";
  if (isUsed) return "Dead ends unknown: settings unreadable";
  // With a wrong tenant, there are no dead ends either.
  return suspects.length > 0 ? "Dead ends unknown: settings missing" : "No worker has connected yet";
}

/** What a store knows about one call. */
export interface FleetAnswer extends Omit<Suspect, "tool"> {
  readonly settings: FleetSettings | undefined;
  /** Whether the given key is the workers' key. Undefined if that cannot be checked. */
  readonly isKeyTheirs: boolean | undefined;
  /** The value of the fleet's switch. Undefined if it is not set. */
  readonly switch: string | undefined;
  /** Whose world the call is about: that of all workers, of those in the world that was named, or each worker's own. */
  readonly scope: "shared" | "world" | "own";
}

/** Says whether a call is a dead end, and why. */
export function fleetAnswer(answer: FleetAnswer): readonly string[] {
  const { calls, workers, lastsMs, name, settings } = answer;
  const facts: readonly (readonly [string, string])[] = [
    ...(calls > 0
      ? ([
          ["calls", countOf(calls, settings?.calls)],
          ["processes", countOf(workers, settings?.workers)],
          ["counts for", spanInWords(lastsMs)],
        ] as const)
      : []),
    ["call", name],
    ["scope", SCOPES[answer.scope]],
    ["switch", switchInWords(answer.switch)],
    ["key", keyInWords(answer.isKeyTheirs)],
  ];
  return [...verdictOf(answer), "", ...facts.map(([fact, value]) => `${fact.padEnd(12)}${value}`)];
}

const SCOPES: Readonly<Record<FleetAnswer["scope"], string>> = {
  shared: "the whole fleet",
  world: "the world that you named",
  own: "each worker's own world: the fleet learns of it only if the tool's rule says fleet: \"shared\", or in a world (--world)",
};

function verdictOf({ calls, workers, settings }: FleetAnswer): string[] {
  if (settings === undefined) {
    return calls > 0
      ? ["It is a suspect. It may be a dead end, but the workers' settings are missing."]
      : ["It is unknown. No worker has connected: the tenant or the address may be wrong."];
  }
  if (calls > 0)
    return [isDeadEnd({ calls, workers }, settings) ? "It is a dead end." : "It is a suspect, not a dead end yet."];
  return [
    `It is unknown. In the last ${spanInWords(settings.windowMs)} no process reported that it led nowhere, or it has helped one since.`,
    "Guards that have a rule for this tool (identity, changes) may know the call by another name.",
  ];
}

function countOf(counted: number, needed: number | undefined): string {
  const shown = counted < MAX_COUNTED ? String(counted) : `${counted} or more`;
  return needed === undefined ? shown : `${shown}; a dead end takes ${needed}`;
}

function keyInWords(isTheirs: boolean | undefined): string {
  if (isTheirs === undefined) return "cannot be compared";
  return isTheirs ? "the same as the workers'" : "not the same as in the workers' settings";
}
