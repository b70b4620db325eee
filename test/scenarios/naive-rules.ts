import type { AgentEvent, CallEvent, ResultEvent } from "../../packages/doomloop/src/core/event.ts";

/** What simple counters look at. Each sees a part of the truth, and speaks too often or not at all. */
export type NaiveRule = keyof typeof RULES;

const WINDOW = 20;

/**
 * Rules by name: each turns the events into keys, and speaks where a key stands in the window often enough.
 * What has no key is not looked at; `false` is looked at and counts as nothing.
 */
const RULES = {
  /** The same tool with the same arguments, three times in twenty calls. */
  "equal calls": { count: 3, inRow: false, keyOf: callOf },
  /** The same, three times in a row. */
  "equal calls in a row": { count: 3, inRow: true, keyOf: callOf },
  /** One tool with the very same output, three times in twenty calls, whatever was asked. */
  "equal results": { count: 3, inRow: false, keyOf: (step) => step.call && `${step.call.tool} ${outputOf(step)}` },
  /** The same call with the very same output, three times in twenty calls. */
  "equal calls with equal results": {
    count: 3,
    inRow: false,
    keyOf: (step) => step.call && `${callOf(step)} ${outputOf(step)}`,
  },
  /** One tool, five times in a row. */
  "one tool in a row": { count: 5, inRow: true, keyOf: (step) => step.call?.tool },
  /** Any three failures in twenty calls. */
  "failure count": { count: 3, inRow: false, keyOf: (step) => step.result?.error === true && "failed" },
  /** Any three results in twenty calls that speak of an error. */
  "error words": { count: 3, inRow: false, keyOf: (step) => /error|fail/i.test(outputOf(step)) && "failed" },
  /** The same two tools in turn, twice over. */
  "alternating tools": {
    count: 3,
    inRow: false,
    keyOf: (step, before) => step.call && before?.call && `${before.call.tool} ${step.call.tool}`,
  },
  /** The same words three times in twenty answers. */
  "equal texts": { count: 3, inRow: false, keyOf: (step) => step.text },
  /** Text in which one line stands five times. */
  "repeated lines": { count: 1, inRow: false, keyOf: (step) => mostEqualLines(step.text ?? "") >= 5 && "chant" },
} satisfies Record<string, Rule>;

interface Rule {
  readonly count: number;
  readonly inRow: boolean;
  readonly keyOf: (step: NaiveStep, before: NaiveStep | undefined) => string | false | undefined;
}

/** A call with its result, or an answer in words. */
interface NaiveStep {
  readonly call?: CallEvent;
  readonly result?: ResultEvent | undefined;
  readonly text?: string;
}

/** Whether a rule speaks within the events. */
export function isFooled(name: NaiveRule, events: readonly AgentEvent[]): boolean {
  const { count, inRow, keyOf }: Rule = RULES[name];
  const steps = stepsOf(events);
  const keys = steps.map((step, at) => keyOf(step, steps[at - 1])).filter((key) => key !== undefined);
  return keys.some((key, at) => {
    if (typeof key !== "string") return false;
    const window = keys.slice(Math.max(0, at + 1 - (inRow ? count : WINDOW)), at + 1);
    return window.filter((other) => other === key).length >= count;
  });
}

function stepsOf(events: readonly AgentEvent[]): readonly NaiveStep[] {
  return events.flatMap((event): NaiveStep[] => {
    if (event.type === "text" || event.type === "reasoning") return [{ text: event.text }];
    if (event.type !== "call") return [];
    const result = events.find((other): other is ResultEvent => other.type === "result" && other.id === event.id);
    return [{ call: event, result }];
  });
}

function callOf(step: NaiveStep): string | undefined {
  return step.call && `${step.call.tool} ${json(step.call.args)}`;
}

function outputOf(step: NaiveStep): string {
  return json(step.result?.output);
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function mostEqualLines(text: string): number {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return Math.max(...counts.values());
}
