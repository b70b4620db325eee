import type { JudgedRun, JudgedSource } from "../judged-run.ts";
import type { Measurement } from "../measure.ts";
import type { LaterMeasurement } from "../measure-all.ts";
import type { SourceKind } from "../replay-order.ts";
import { everydayInstrument } from "./everyday.ts";
import type { Instrument } from "./instrument.ts";
import { rowsInstrument } from "./rows.ts";
import { sessionsInstrument } from "./sessions.ts";
import { successesInstrument } from "./successes.ts";
import { teethInstrument } from "./teeth.ts";
import { variantsInstrument } from "./variants.ts";
import { windowsInstrument } from "./windows.ts";

/** All instruments that have something to look at. */
export function measureInstruments(
  sources: readonly JudgedSource[],
  measurement?: Measurement,
  later?: LaterMeasurement,
): Instrument[] {
  const runsOf = (kind: SourceKind): JudgedRun[] =>
    sources.filter((each) => each.kind === kind).flatMap(({ runs }) => runs);
  const [recorded, sessions, everyday] = [runsOf("recorded"), runsOf("sessions"), runsOf("everyday")];
  const instruments = [
    ...(measurement === undefined ? [] : [windowsInstrument(measurement), successesInstrument(measurement)]),
    ...(later === undefined ? [] : laterInstruments(later)),
    sessionsInstrument(sessions),
    ...setsOf(sources).map(([set, runs]) => everydayInstrument(`everyday, ${set}`, runs)),
    variantsInstrument("everyday variants", everyday),
    variantsInstrument("session variants", sessions),
    teethInstrument(everyday),
    rowsInstrument(recorded),
  ];
  return instruments.filter(({ size }) => size > 0);
}

function laterInstruments({ all, independent }: LaterMeasurement): Instrument[] {
  return [
    windowsInstrument(independent, "later windows, a + d"),
    windowsInstrument(all, "later windows"),
    successesInstrument(all, "later successes"),
  ];
}

/** The everyday runs by the set that they were written in: each was written after the rules had been made with those before it. */
function setsOf(sources: readonly JudgedSource[]): [set: string, runs: JudgedRun[]][] {
  const sets = new Map<string, JudgedRun[]>();
  for (const { kind, source, runs } of sources) {
    if (kind !== "everyday") continue;
    const set = nameOf(source);
    sets.set(set, [...(sets.get(set) ?? []), ...runs]);
  }
  return [...sets].sort(([one], [other]) => one.localeCompare(other));
}

/** `innocent.jsonl.gz` and `loops.jsonl.gz` are the first set, `innocent-2.jsonl.gz` belongs to the second. Slow loops are apart. */
function nameOf(source: string): string {
  if (source.startsWith("slow")) return "slow loops";
  return `set ${/-(\w+)$/.exec(source)?.[1] ?? "1"}`;
}
