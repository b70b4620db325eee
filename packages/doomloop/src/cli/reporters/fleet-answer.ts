import type { FleetSettings } from "../../fleet/inspect/fleet-settings.ts";
import { isFound, MAX_COUNTED, type Suspect } from "../../fleet/redis/dead-ends.ts";
import { spanInWords } from "../../scan/report/span-in-words.ts";
import { switchInWords } from "./fleet-summary.ts";

/** What a store knows of one call. */
export interface FleetAnswer extends Omit<Suspect, "tool"> {
  readonly settings: FleetSettings | undefined;
  /** The key that the call was named with is the one of the workers; undefined where that cannot be told. */
  readonly isKeyTheirs: boolean | undefined;
  /** What is written in the fleet's switch. Undefined: nothing. */
  readonly switch: string | undefined;
}

/** Says whether a call is a dead end, and by what. */
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
    ["switch", switchInWords(answer.switch)],
    ["key", keyInWords(answer.isKeyTheirs)],
  ];
  return [...verdictOf(answer), "", ...facts.map(([fact, value]) => `${fact.padEnd(12)}${value}`)];
}

function verdictOf({ calls, workers, settings }: FleetAnswer): string[] {
  if (settings === undefined) {
    return calls > 0
      ? ["It is a suspect. Whether it is a dead end is not known: the workers' settings are missing."]
      : ["It is unknown. No worker has been here: the tenant or the address may be another."];
  }
  if (calls > 0)
    return [isFound({ calls, workers }, settings) ? "It is a dead end." : "It is a suspect, and no dead end yet."];
  return [
    `It is unknown. In the last ${spanInWords(settings.windowMs)} no process told that it led nowhere, or it has helped one since.`,
    "Guards that have a rule for this tool (identity, changes) may know the call by another name.",
  ];
}

function countOf(counted: number, needed: number | undefined): string {
  const shown = counted < MAX_COUNTED ? String(counted) : `${counted} or more`;
  return needed === undefined ? shown : `${shown}; a dead end takes ${needed}`;
}

function keyInWords(isTheirs: boolean | undefined): string {
  if (isTheirs === undefined) return "cannot be compared";
  return isTheirs ? "the one of the workers" : "another than in the workers' settings";
}
