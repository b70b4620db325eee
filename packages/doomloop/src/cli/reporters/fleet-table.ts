import type { FleetGlobalFinding } from "../../fleet/fleet.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { count } from "../terminal/count.ts";
import { cutToWidth, printable } from "../terminal/printable.ts";

/** What is known of the fleet at one moment. */
export interface FleetMoment {
  readonly findings: readonly FleetGlobalFinding[];
  /** How the fleet stands to its store. */
  readonly state?: string | undefined;
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

/** Says who is stuck on what. Remembers the moment before, to say what has changed. */
export interface FleetTable {
  /** Another moment has come. */
  take(moment: FleetMoment): void;
  /** The latest moment in lines that fit. The same however often it is asked for. */
  lines(options?: FleetTableOptions): readonly string[];
}

const COLUMNS: readonly Column[] = [
  { heading: "tool", minimum: 8, cut: "middle" },
  { heading: "calls", align: "right" },
  { heading: "change", align: "right" },
  { heading: "workers", align: "right" },
  { heading: "who", minimum: 12, weight: 2, isOptional: true },
  { heading: "call", isOptional: true },
];

const CHANGE = COLUMNS.findIndex(({ heading }) => heading === "change");
const MAX_NAME = 128;
const MAX_WORKERS = 12;
const MAX_ROWS = 1000;
/** Sum, blank line and heading above the rows. */
const LINES_ABOVE = 3;

export function createFleetTable(): FleetTable {
  let known: ReadonlyMap<string, number> | undefined;
  let sum = "";
  let rows: readonly string[][] = [];

  const rowOf = (finding: FleetGlobalFinding): string[] => [
    printable(finding.tool.slice(0, MAX_NAME)),
    String(finding.calls),
    known === undefined ? "" : changeOf(known.get(finding.fingerprint), finding.calls),
    String(finding.workers),
    workersOf(finding),
    shortDigest(finding.fingerprint),
  ];

  return {
    take(moment) {
      const findings = moment.findings.slice(0, MAX_ROWS);
      sum = sumOf(moment);
      rows = findings.map(rowOf);
      known = new Map(findings.map(({ fingerprint, calls }) => [fingerprint, calls]));
    },
    lines({ width = Infinity, height = Infinity, showChange = false, emphasise = asItIs } = {}) {
      const first = emphasise(cutToWidth(sum, width));
      if (rows.length === 0) return [first];
      const room = Math.max(1, height - LINES_ABOVE);
      const shown = rows.length <= room ? rows : rows.slice(0, Math.max(1, room - 1));
      const left = rows.length - shown.length;
      const columns = showChange ? COLUMNS : without(COLUMNS, CHANGE);
      const cells = showChange ? shown : shown.map((row) => without(row, CHANGE));
      const format = layOut(columns, cells, width);
      const heading = cutToWidth(format(columns.map((column) => column.heading)), width);
      const more = left > 0 ? [cutToWidth(`and ${left.toLocaleString("en-US")} more`, width)] : [];
      return [first, "", emphasise(heading), ...cells.map((row) => cutToWidth(format(row), width)), ...more];
    },
  };
}

function without<Item>(items: readonly Item[], at: number): readonly Item[] {
  return items.toSpliced(at, 1);
}

function asItIs(text: string): string {
  return text;
}

function sumOf({ findings, state, fault }: FleetMoment): string {
  return [deadEndsOf(findings), state, fault]
    .filter((fact) => fact !== undefined)
    .map(printable)
    .join(" | ");
}

function deadEndsOf(findings: readonly FleetGlobalFinding[]): string {
  const [first] = findings;
  if (first === undefined) return "No dead ends";
  const stuck = new Set(findings.flatMap(({ workerNames }) => workerNames)).size;
  const number = findings.length === 1 ? "1 dead end" : `${findings.length.toLocaleString("en-US")} dead ends`;
  return `${number} in ${durationOf(first.windowMs)}, ${count(stuck, "worker")} stuck`;
}

function durationOf(windowMs: number): string {
  return windowMs % 60_000 === 0 ? `${windowMs / 60_000} min` : `${windowMs / 1000} s`;
}

function changeOf(before: number | undefined, now: number): string {
  if (before === undefined) return "new";
  if (before === now) return "";
  return now > before ? `+${now - before}` : `-${before - now}`;
}

function workersOf({ workerNames }: FleetGlobalFinding): string {
  const names = workerNames.slice(0, MAX_WORKERS).map((name) => printable(name.slice(0, MAX_NAME)));
  const rest = workerNames.length - names.length;
  return [...names, ...(rest > 0 ? [`+${rest}`] : [])].join(", ");
}

/** Tells two calls of one tool apart, in eight hexadecimal digits. */
function shortDigest(fingerprint: string): string {
  const digits = /^[0-9a-f]{8}/.test(fingerprint) ? fingerprint : hexadecimal(fingerprint.slice(0, 4));
  return digits.slice(0, 8);
}

function hexadecimal(text: string): string {
  let digits = "";
  for (let at = 0; at < text.length; at++) digits += text.charCodeAt(at).toString(16).padStart(4, "0");
  return digits;
}
