import { detectorOptions, PROGRESS_OPTIONS, TOOL_OPTIONS } from "../../core/check-options.ts";
import { type DetectorKind, detectors as detectorsByKind } from "../../core/detectors/index.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import type { ToolRule } from "../../core/tool-rule.ts";
import { FILE_OPTIONS } from "../config.ts";
import type { Draw } from "../redact/letters.ts";
import type { Pseudonyms } from "../redact/pseudonyms.ts";
import { type RedactOptions, redactEvents } from "../redact/redact-events.ts";
import { redactText } from "../redact/redact-text.ts";
import { isEvent, type ReplayedDecision, replayRun } from "../replay/replay-run.ts";

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
 * How a run is redacted, attempt by attempt. Two words may share a short hash by chance, so other pseudonyms are tried first. Then the parts of longer words
 * stay that are like words of the core's, and last come whole texts, in case something that was cut out mattered.
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
 * Redacts a run, and plays both through the same guard until they are judged alike or there is nothing left to try. Then the first attempt is taken: what does
 * not help to reproduce the run need not be told.
 */
export function reproduceRun(given: readonly AgentEvent[], options: GuardOptions, draw: Draw): ReproducedRun {
  const original = replayRun(given, options);
  const decisions = original.decisions.map(briefly);
  const tryOnce = (how: Omit<RedactOptions, "draw">): Pick<ReproducedRun, "events" | "options" | "redacted"> => {
    const { events, names } = redactEvents(given.filter(isEvent), { ...how, draw });
    // What is compared is what will be read from the file.
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
 * A guard's options as a trace can carry them: known ones, plain data, with tools and arguments by the names that they have there. Functions stay behind,
 * and so does whatever else a module of options holds.
 */
function portableOptions(options: GuardOptions, names: Pseudonyms): GuardOptions {
  const { detectors, progress, tools, ...plain } = known(options, FILE_OPTIONS) as GuardOptions;
  const carried = {
    ...plain,
    ...(progress !== undefined && { progress: known(progress, Object.keys(PROGRESS_OPTIONS)) }),
    ...(detectors !== undefined && {
      detectors: mapped(detectors, (kind, own: object | false) =>
        Object.hasOwn(detectorsByKind, kind)
          ? [kind, own && known(own, detectorOptions(kind as DetectorKind))]
          : undefined,
      ),
    }),
    ...(tools !== undefined && {
      tools: mapped(tools, (tool, rule: ToolRule) => [redactText(tool, names), portableRule(rule, names)]),
    }),
  };
  return JSON.parse(JSON.stringify(carried)) as GuardOptions;
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
