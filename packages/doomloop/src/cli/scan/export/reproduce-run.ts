import type { AgentEvent } from "../../../core/event.ts";
import type { GuardOptions } from "../../../core/options.ts";
import type { Draw } from "../../../redact/letters.ts";
import { redactEvents } from "../../../redact/redact-events.ts";
import { isEvent } from "../../replay/is-event.ts";
import { type ReplayedDecision, replayRun } from "../../replay/replay-run.ts";
import { portableOptions } from "./portable-options.ts";

/** What a decision comes to, wherever it is made. */
export type ExpectedDecision = Pick<ReplayedDecision, "call" | "action" | "kind">;

export interface ReproducedRun {
  readonly events: readonly AgentEvent[];
  /** The guard's own, as far as they are not the default and can be carried. */
  readonly options: GuardOptions;
  /** What the guard decides on the original, calls counted from 0. */
  readonly decisions: readonly ExpectedDecision[];
  /** Whether it decides the same on these events. */
  readonly isSame: boolean;
  /** What it decides on them. */
  readonly redacted: readonly ExpectedDecision[];
  /** How often the run was redacted until it was judged alike, or given up. */
  readonly attempts: number;
  readonly calls: number;
}

/**
 * How texts are cut, attempt by attempt. Two words may share a short hash by chance, so other pseudonyms are tried first; then whole texts, in
 * case something that was cut out mattered. Nothing is ever left as it was.
 */
const LONGEST = [8_192, 8_192, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Redacts a run, and plays both through the same guard until they are judged alike or there is nothing left to try. */
export function reproduceRun(given: readonly AgentEvent[], options: GuardOptions, draw: Draw): ReproducedRun {
  const original = replayRun(given, options);
  const decisions = original.decisions.map(briefly);
  for (let attempts = 1; ; attempts++) {
    const { events, names } = redactEvents(given.filter(isEvent), { draw, longestText: LONGEST[attempts - 1]! });
    // What is compared is what will be read from the file.
    const written = JSON.parse(JSON.stringify(events)) as AgentEvent[];
    const carried = portableOptions(options, names);
    const redacted = replayRun(written, carried).decisions.map(briefly);
    const isSame = JSON.stringify(decisions) === JSON.stringify(redacted);
    if (isSame || attempts === LONGEST.length)
      return { events: written, options: carried, decisions, isSame, redacted, attempts, calls: original.calls };
  }
}

function briefly({ call, action, kind }: ReplayedDecision): ExpectedDecision {
  return { call, action, kind };
}
