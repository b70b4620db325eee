import { keptAside } from "../everyday/kept-aside.ts";
import type { JudgedRun, JudgedSource } from "../judged-run.ts";
import type { Measurement } from "../measure.ts";
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
export function measureInstruments(sources: readonly JudgedSource[], measurement?: Measurement): Instrument[] {
  const runsOf = (kind: SourceKind): JudgedRun[] =>
    sources.filter((each) => each.kind === kind).flatMap(({ runs }) => runs);
  const [recorded, sessions, everyday] = [runsOf("recorded"), runsOf("sessions"), runsOf("everyday")];
  const instruments = [
    ...(measurement === undefined ? [] : [windowsInstrument(measurement), successesInstrument(measurement)]),
    sessionsInstrument(sessions),
    everydayInstrument("everyday", everyday),
    everydayInstrument("everyday, kept aside", asideOf(sources)),
    variantsInstrument("everyday variants", everyday),
    variantsInstrument("session variants", sessions),
    teethInstrument(everyday),
    rowsInstrument(recorded),
  ];
  return instruments.filter(({ size }) => size > 0);
}

/** The everyday runs of the classes that are kept aside, which each file has its own of. */
function asideOf(sources: readonly JudgedSource[]): JudgedRun[] {
  return sources
    .filter(({ kind }) => kind === "everyday")
    .flatMap(({ runs }) => {
      const aside = keptAside(runs.map(({ expectation }) => expectation!.class));
      return runs.filter(({ expectation }) => aside.has(expectation!.class));
    });
}
