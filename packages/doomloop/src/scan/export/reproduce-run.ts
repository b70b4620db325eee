import { detectorOptions, TOOL_OPTIONS } from "../../checks/check-options.ts";
import type { AgentEvent } from "../../core/event.ts";
import { DETECTOR_KINDS, type DetectorKind } from "../../core/finding.ts";
import type { ToolRule } from "../../core/policy/tool-rules.ts";

import { type GuardConfig, JSON_OPTIONS } from "../../counting/configured-guard.ts";
import type { Draw } from "../redact/letters.ts";
import type { Pseudonyms } from "../redact/pseudonyms.ts";
import { type RedactOptions, redactEvents } from "../redact/redact-events.ts";
import { redactText } from "../redact/redact-text.ts";
import { isEvent, type ReplayedDecision, replayRun } from "../replay/replay-run.ts";

/** The part of a decision that must be the same on the original and the redacted run. */
export type ExpectedDecision = Pick<ReplayedDecision, "call" | "action" | "kind">;

export interface ReproducedRun {
  readonly events: readonly AgentEvent[];
  /** The guard's options that differ from the defaults and can be written to a file. */
  readonly options: GuardConfig;
  /** The guard's decisions on the original run. Calls are counted from 0. */
  readonly decisions: readonly ExpectedDecision[];
  /** Whether the guard makes the same decisions on the redacted events. */
  readonly isSame: boolean;
  /** The guard's decisions on the redacted events. */
  readonly redacted: readonly ExpectedDecision[];
  /** The number of redactions that were tried. */
  readonly attempts: number;
  readonly calls: number;
}

/**
 * The options of each attempt. Two words may share a short hash by chance, so other pseudonyms are tried first. Then
 * known parts of longer words are kept. Finally texts are kept at full length, in case a removed part mattered.
 */
const ATTEMPTS: readonly Omit<RedactOptions, "draw">[] = [
  {},
  {},
  { keepsParts: true },
  { keepsParts: true },
  { keepsParts: true, longestText: Number.POSITIVE_INFINITY },
  { keepsParts: true, longestText: Number.POSITIVE_INFINITY },
];

/**
 * Redacts a run until the guard makes the same decisions on it as on the original.
 *
 * If no attempt succeeds, it returns the first one: the later attempts reveal more and do not help.
 */
export function reproduceRun(given: readonly AgentEvent[], options: GuardConfig, draw: Draw): ReproducedRun {
  const original = replayRun(given, options);
  const decisions = original.decisions.map(briefly);
  const tryOnce = (how: Omit<RedactOptions, "draw">): Pick<ReproducedRun, "events" | "options" | "redacted"> => {
    const { events, names } = redactEvents(given.filter(isEvent), { ...how, draw });
    // Compares the events as they will be read from the file.
    const written = JSON.parse(JSON.stringify(events)) as AgentEvent[];
    const carried = portableOptions(options, names);
    return { events: written, options: carried, redacted: replayRun(written, carried).decisions.map(briefly) };
  };
  let first: ReturnType<typeof tryOnce> | undefined;
  let attempts = 0;
  for (const how of ATTEMPTS) {
    const attempt = tryOnce(how);
    attempts++;
    first ??= attempt;
    if (JSON.stringify(decisions) === JSON.stringify(attempt.redacted))
      return { ...attempt, decisions, isSame: true, attempts, calls: original.calls };
  }
  return { ...first!, decisions, isSame: false, attempts, calls: original.calls };
}

function briefly({ call, action, kind }: ReplayedDecision): ExpectedDecision {
  return { call, action, kind };
}

/**
 * The options that a trace can contain: known ones, as plain data, with the pseudonyms of tools and arguments.
 * Functions and unknown fields are left out.
 */
function portableOptions(options: GuardConfig, names: Pseudonyms): GuardConfig {
  const { detectors, rules, ...plain } = known(options, JSON_OPTIONS) as GuardConfig;
  const carried = {
    ...plain,
    ...(detectors !== undefined && {
      detectors: mapped(detectors, (kind, own: object | false) =>
        (DETECTOR_KINDS as readonly string[]).includes(kind)
          ? [kind, own && known(own, detectorOptions(kind as DetectorKind))]
          : undefined,
      ),
    }),
    ...(rules !== undefined && {
      rules: mapped(rules, (tool, rule: ToolRule) => [redactText(tool, names), portableRule(rule, names)]),
    }),
  };
  return JSON.parse(JSON.stringify(carried)) as GuardConfig;
}

function portableRule(rule: ToolRule, names: Pseudonyms): object {
  const { identity, poll, ...own } = known(rule, Object.keys(TOOL_OPTIONS)) as ToolRule;
  return {
    ...own,
    ...(Array.isArray(identity) && { identity: identity.map((name: string) => redactText(name, names)) }),
    ...(poll !== undefined && { poll: typeof poll === "object" ? known(poll, ["patienceMs"]) : poll }),
  };
}

function known(fields: object, keys: readonly string[]): object {
  return mapped(fields, (key, value) => (keys.includes(key) ? [key, value] : undefined));
}

function mapped<Value>(
  fields: Readonly<Record<string, Value>> | object,
  change: (key: string, value: Value) => readonly [string, unknown] | undefined,
): object {
  const entries = Object.entries(fields as Record<string, Value>).map(([key, value]) => change(key, value));
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
