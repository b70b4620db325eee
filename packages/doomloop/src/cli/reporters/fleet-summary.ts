import type { FleetReading } from "../../fleet/inspect/read-fleet.ts";
import { isFleetMode, TENANT_QUOTA } from "../../fleet/redis/redis-fleet-options.ts";
import { count } from "../../scan/report/count.ts";

/** From here on, how much of the quota is used is worth a word. */
const MUCH = 0.5;
/** From here on, runs are estimated. */
const EXACT_RUNS = 100;

/** How a fleet stands, in one line. */
export function fleetSummary(reading: FleetReading): string {
  const { runs, reported } = reading;
  const share = reported / TENANT_QUOTA;
  return [
    deadEndsOf(reading),
    `switch ${switchInWords(reading.switch)}`,
    `${runs > EXACT_RUNS ? "about " : ""}${count(runs, "run")} active`,
    ...(share > MUCH ? [`${Math.round(100 * share)} % of the usual quota`] : []),
  ].join(" | ");
}

/** What an operator wrote into the switch. Where nothing is written, guards act, unless they were told otherwise before. */
export function switchInWords(text: string | undefined): string {
  if (text === undefined) return "not set (on)";
  return isFleetMode(text) ? text : "unreadable";
}

function deadEndsOf({ settings, isUsed, suspects }: FleetReading): string {
  const number = suspects.filter(({ isDeadEnd }) => isDeadEnd).length;
  if (number > 0) return number === 1 ? "1 dead end" : `${number.toLocaleString("en-US")} dead ends`;
  if (settings !== undefined) return "No dead ends";
  if (isUsed) return "Dead ends unknown: settings unreadable";
  // Somebody who looks for the wrong tenant sees no dead ends either.
  return suspects.length > 0 ? "Dead ends unknown: settings missing" : "No worker has been here";
}
