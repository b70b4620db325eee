import type { Memory } from "../memory.ts";
import type { Call, Step } from "../step.ts";
import { attempts } from "./attempts.ts";
import { check } from "./check.ts";
import { cycle } from "./cycle.ts";
import { deadEnds } from "./dead-ends.ts";
import type { Sighting } from "./detector.ts";
import { failures } from "./failures.ts";
import { known } from "./known.ts";
import { repeat } from "./repeat.ts";
import { sayings } from "./sayings.ts";

/** All kinds of loops of calls, the most telling first. A new kind is one file, and its name in this list. */
const DETECTORS = [repeat, cycle, deadEnds, attempts, failures, check, sayings, known] as const;

export type Kind = (typeof DETECTORS)[number]["kind"];
export type Seen = Sighting & { readonly kind: Kind };

/** All that the detectors see in a step. */
export function lookAt(step: Step, memory: Memory): readonly Seen[] {
  const seen: Seen[] = [];
  for (const { kind, look } of DETECTORS) for (const each of look(step, memory)) seen.push({ kind, ...each });
  return seen;
}

export function covers(kind: Kind, call: Call, last: Step): boolean {
  for (const detector of DETECTORS) if (detector.kind === kind) return detector.covers(call, last);
  return false;
}
