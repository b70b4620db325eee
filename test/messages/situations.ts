import type { Answer, Rung, Tone } from "../../packages/doomloop/src/core/answer.ts";
import type { Finding, FindingKind } from "../../packages/doomloop/src/core/finding.ts";
import { messageFor, type Outlook } from "../../packages/doomloop/src/core/messages/wording.ts";

const FACTS = { loop: "0".repeat(32), steps: [1, 2, 3], count: 3, confidence: 0.9, weight: 3, tools: ["read_file"] };
const repeat = (evidence: object, tool = "read_file") => ({
  ...FACTS,
  kind: "repeated-call" as const,
  tools: [tool],
  evidence: {
    ...{ outcome: "exact" as const, isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
    ...evidence,
  },
});
const cycle = (isWaiting: boolean, tools: string[]) => ({
  ...FACTS,
  kind: "call-cycle" as const,
  period: 2,
  tools,
  evidence: { outcome: "exact" as const, isWaiting, sequence: tools },
});
const similar = (outcome: "masked" | "blind", isFailing: boolean) => ({
  ...FACTS,
  kind: "similar-call" as const,
  tools: ["search"],
  evidence: { outcome, isFailing },
});
const REFUSED = "a refused call";
const text = { ...FACTS, steps: [], tools: [] };

/** Every kind of finding with every variant that has words of its own, by the situation that it is said in. */
export const SITUATIONS = {
  "repeated-call": {
    "the same call, the same result": repeat({}),
    "the same call, nearly the same result": repeat({ outcome: "masked" }),
    "the same call in other words, the same failure": repeat({ outcome: "masked", isFuzzy: true, isFailing: true }),
    "the same call, in a run that shows no results": repeat({ outcome: "blind" }),
    "the same act, such as a click": repeat({ isStep: true }, "click"),
    "the same thing sent or written again": repeat({ isDone: true }, "send_mail"),
    "checking again, and nothing has changed": repeat({ isWaiting: true }, "job_status"),
    "the same failure, because the service is busy": repeat({ isFailing: true, isBusy: true }, "deploy"),
  },
  "call-cycle": {
    "the same few calls in turn": cycle(false, ["read_file", "grep"]),
    "the same few checks in turn": cycle(true, ["job_status", "read_log"]),
  },
  "similar-call": {
    "nearly the same call, the same result": similar("masked", false),
    "nearly the same call, and it fails": similar("masked", true),
    "nearly the same call, in a run that shows no results": similar("blind", false),
  },
  "same-outcome": {
    "different calls, the same answer": {
      ...FACTS,
      kind: "same-outcome",
      tools: ["search"],
      evidence: { isFailing: false },
    },
    "different calls, the same failure": { ...FACTS, kind: "same-outcome", evidence: { isFailing: true } },
  },
  "test-fix": {
    "a check that keeps failing between changes": { ...FACTS, kind: "test-fix", evidence: { failing: 4 } },
  },
  "failure-streak": {
    "calls that fail one after another": {
      ...FACTS,
      kind: "failure-streak",
      tools: ["create_order"],
      evidence: { isFileWork: false },
    },
    "shell commands on files that fail": {
      ...FACTS,
      kind: "failure-streak",
      tools: ["bash"],
      evidence: { isFileWork: true },
    },
  },
  stalled: {
    "asking again and learning nothing new": { ...FACTS, kind: "stalled", evidence: { isEmpty: false } },
    "asking again and finding nothing": { ...FACTS, kind: "stalled", tools: ["search"], evidence: { isEmpty: true } },
  },
  "repeated-text": {
    "an answer that repeats itself": { ...text, kind: "repeated-text", period: 80, evidence: { stream: "text" } },
    "reasoning that repeats itself": { ...text, kind: "repeated-text", period: 80, evidence: { stream: "reasoning" } },
  },
  "text-only": {
    "answers without a tool call": { ...text, kind: "text-only", evidence: { isRepeating: false } },
    "the same answer again, without a tool call": { ...text, kind: "text-only", evidence: { isRepeating: true } },
  },
  fleet: {
    "a dead end of other workers": { ...FACTS, kind: "fleet", count: 12, evidence: { workers: 4, windowMs: 300_000 } },
    "the same, over a store": {
      ...{ ...FACTS, kind: "fleet", count: 12 },
      evidence: { workers: 4, counted: "processes", windowMs: 300_000 },
    },
  },
  opinion: {
    "a second opinion that the agent is stuck": { ...FACTS, kind: "opinion", count: 12, evidence: { since: 4 } },
  },
} satisfies { readonly [Kind in FindingKind]?: Readonly<Record<string, Extract<Finding, { kind: Kind }>>> };

/** All situations with the findings in them. */
export const FOUND: readonly (readonly [situation: string, finding: Finding])[] = Object.values(SITUATIONS).flatMap(
  (situations) => Object.entries<Finding>(situations),
);

export const answer = (rung: Rung, tone: Tone, next?: Rung): Answer => ({ rung, tone, next });
export const outlook = (next?: Rung, more: Partial<Outlook> = {}): Outlook => ({
  next,
  isRefused: false,
  isAttended: false,
  isShadow: false,
  ...more,
});

type Say = (finding: Finding) => string;

/** What is said at each level, in the order in which an agent that does not listen gets it. */
const LEVELS: Readonly<Record<string, Say>> = {
  "first words": (finding) => messageFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge")),
  "said again": (finding) => messageFor(at(5, finding), answer("nudge", "warning", "nudge"), outlook("nudge")),
  "last warning": (finding) => messageFor(at(9, finding), answer("nudge", "last", "block"), outlook("block")),
  [REFUSED]: (finding) =>
    messageFor(at(9, finding), answer("block", "last", "stop"), outlook("stop", { isRefused: true })),
  "a run that starts over": (finding) => messageFor(at(9, finding), answer("restart", "last", "stop"), outlook("stop")),
  "a run that is stopped": (finding) =>
    messageFor(at(11, finding), { ...answer("stop", "last"), refused: 9 }, outlook()),
};

/** What others say is told once; an opinion never leads to more than words. */
const MOST_LEVELS: Partial<Record<FindingKind, number>> = { fleet: 1, opinion: 2 };

/** All messages about a finding, by level. What other workers found is told once. Text cannot be refused. */
export function messagesAbout(finding: Finding): readonly (readonly [level: string, message: string])[] {
  const isText = finding.kind === "text-only" || finding.kind === "repeated-text";
  const levels = Object.entries(LEVELS).slice(0, MOST_LEVELS[finding.kind]);
  return levels.filter(([level]) => !(isText && level === REFUSED)).map(([level, say]) => [level, say(finding)]);
}

const at = (count: number, finding: Finding): Finding => ({ ...finding, count });
