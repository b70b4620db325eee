import type { AgentEvent, CallEvent } from "../core/event.ts";
import type { Finding } from "../core/finding.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import type { ToolRules } from "../core/policy/tool-rules.ts";
import { createToolRules } from "../core/policy/tool-rules.ts";

import type { GuardConfig } from "../counting/configured-guard.ts";
import type { SessionFacts, TranscriptUsage } from "../transcripts/reader.ts";
import { type Cause, causeOf, type LoopStep } from "./advice/cause.ts";
import { type CallHistory, createCallHistory } from "./call-history.ts";
import { type AnswerLedger, createAnswerLedger } from "./costs/answer-ledger.ts";
import { shownTool } from "./describe-call.ts";
import { toolOf } from "./describe-step.ts";
import { createLoopCollector, type LoopCollector, sharesIn, whatRepeats } from "./loop-collector.ts";
import { createRepeatWatch, type RepeatWatch } from "./repeats.ts";
import { createCallIndices, createReplayGuard, isEvent } from "./replay/replay-run.ts";
import type { ReportStep } from "./report/report.ts";
import { createStepWindow, type StepWindow, type StepWindowOptions } from "./step-window.ts";

interface WatchRunOptions extends StepWindowOptions {
  readonly guardOptions: GuardConfig;
}

/** A run while it is being read: the guard's decisions, and what the run spends. */
export interface RunWatch {
  readonly run: string;
  readonly facts: SessionFacts;
  readonly ledger: AnswerLedger;
  readonly loopCollector: LoopCollector;
  readonly window: StepWindow;
  readonly history: CallHistory;
  readonly repeats: RepeatWatch;
  /** The answer that made a call. */
  answerOf(call: number): number;
  /** The number of calls before the latest answer in words. */
  answeredAt(): number;
  /** The first call after words of the user that came after a call. Infinite if the user said nothing more. */
  spokenAfter(call: number): number;
  /** The time from one call to another in milliseconds. Null if it is unknown. */
  timeBetween(from: number, to: number): number | null;
  addFacts(facts: SessionFacts): void;
  observe(event: AgentEvent, at: number | undefined): void;
  addUsage(usage: TranscriptUsage): void;
  /** Whether the run has no events at all. */
  isEmpty(): boolean;
  /** Internal errors of the guard. */
  faults(): number;
  tally(): RunTally;
  /** Ends the run, and returns the steps that are worth showing, with what each added to the evidence. */
  steps(): readonly ReportStep[];
}

interface RunTally {
  readonly calls: number;
  readonly badEvents: number;
  /** The time of the earliest and the latest event that has a time. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** Plays one run through a guard. The run continues as it was recorded, whatever the guard decides. */
export function watchRun(run: string, options: WatchRunOptions): RunWatch {
  const { guardOptions, keepsAll, includesContent, stepRoom } = options;
  const guard = createReplayGuard(guardOptions);
  const loopCollector = createLoopCollector();
  const indices = createCallIndices();
  const counted = createCountedCalls(guardOptions.rules);
  const ledger = createAnswerLedger();
  const window = createStepWindow({ keepsAll, includesContent, stepRoom });
  const history = createCallHistory();
  const repeats = createRepeatWatch();
  const answers: number[] = [];
  const times: (number | undefined)[] = [];
  let facts: SessionFacts = {};
  let badEvents = 0;
  let first: number | undefined;
  let last: number | undefined;
  let events = 0;
  /** The number of calls before the latest compaction. */
  let compactedAt = 0;
  let answeredAt = 0;
  /** The number of calls before each time the user spoke. */
  const spoken: number[] = [];

  const causeIn = (finding: Finding, named: readonly number[], key: number | undefined): Cause => {
    const steps = named.filter((step) => history.at(step) !== undefined);
    const [first = 0] = steps;
    const isKnownBefore = key !== undefined && history.equalTo(key, 0, compactedAt - 1).length > 0;
    const shown = (call: number): LoopStep => ({
      signs: history.at(call)!.signs,
      answer: () => window.answerOf(call),
    });
    return causeOf({
      kind: finding.kind,
      period: finding.kind === "call-cycle" ? finding.period : 1,
      steps: steps.map(shown),
      others: history
        .between(first, steps.at(-1) ?? first)
        .filter((call) => !steps.includes(call))
        .map(shown),
      isWaiting: "isWaiting" in finding.evidence && finding.evidence.isWaiting,
      isAfterCompaction: isKnownBefore && first >= compactedAt - FEW_CALLS,
    });
  };

  const judge = (event: AgentEvent, call: number): void => {
    const decision = guard.observe(event);
    const judged = guard.judged();
    if (judged !== undefined) {
      history.note(call, judged);
      if (judged.text !== undefined) repeats.note(judged.step, history.at(call)?.reason, () => window.labelOf(call));
    }
    const finding = decision.finding ?? guard.shown();
    if (finding === undefined) return;
    const action = decision.finding && decision.action;
    const offset = offsetOf(finding.steps, counted.placeOf(call));
    const indexOf = (step: number): number => counted.indexOf(step + offset);
    const named = finding.steps.map(indexOf);
    const steps = (since: number): readonly number[] => namedIn(finding, named, { call, since, history });
    const cause = (): Cause => causeIn(finding, steps(0), judged?.step.call);
    const describe = (): string => whatRepeats(finding, steps(0), (step) => window.labelOf(step));
    const isOneCall = finding.kind === "repeated-call" && !finding.evidence.isFuzzy;
    const repeated = isOneCall ? judged?.step.call : undefined;
    const areEqual = (among: readonly number[]): boolean => hasEqualCalls(finding, among, history);
    const seen = { finding, action, call, steps, repeated, areEqual, answer: ledger.current(), at: last ?? null };
    const tools = (): readonly string[] => toolsOf(finding, steps(0), { history, window });
    const loop = loopCollector.note({ ...seen, describe, tools, cause });
    if (loop === undefined) return;
    window.keep(loop.onset, call);
    for (const equal of repeated === undefined ? [] : history.equalTo(repeated, call - MAX_DISTANCE, call))
      if (history.at(equal)?.reason !== undefined) window.keepBefore(equal);
  };

  return {
    run,
    get facts() {
      return facts;
    },
    ledger,
    loopCollector,
    window,
    history,
    repeats,
    answerOf: (call) => answers[call] ?? ledger.current(),
    answeredAt: () => answeredAt,
    spokenAfter: (call) => spoken.find((count) => count > call) ?? Number.POSITIVE_INFINITY,
    timeBetween(from, to) {
      const [start, end] = [times[Math.max(0, from)], times[to]];
      return start === undefined || end === undefined ? null : Math.max(0, end - start);
    },
    addFacts(more) {
      facts = { ...facts, ...given(more) };
    },
    observe(event, at) {
      if (!isEvent(event)) {
        badEvents++;
        return;
      }
      events++;
      if (at !== undefined) {
        first = first === undefined || at < first ? at : first;
        last = last === undefined || at > last ? at : last;
      }
      ledger.note(event);
      if (event.type === "compaction") compactedAt = indices.count;
      if (event.type === "text") answeredAt = indices.count;
      if (event.type === "user" && spoken.at(-1) !== indices.count) spoken.push(indices.count);
      const call = indices.indexOf(event);
      if (event.type === "call") {
        counted.note(call, event);
        answers[call] = ledger.current();
        times[call] = at;
        window.call(call, event, at);
      } else if (event.type === "result" && !indices.isStray) window.result(call, event);
      judge(event, call);
    },
    addUsage: (usage) => ledger.addUsage(usage),
    isEmpty: () => events === 0 && badEvents === 0,
    faults: () => guard.stats().faults,
    tally: () => ({ calls: indices.count, badEvents, first, last }),
    steps() {
      const shares = sharesIn(loopCollector.loops);
      return window.finish().map((step) => {
        const index = step.call - 1;
        const added = shares.get(index) ?? history.at(index)?.added ?? 0;
        if (added > 0) return { ...step, added: Math.round(100 * added) / 100 };
        const reason = history.at(index)?.reason;
        return reason === undefined ? step : { ...step, reason };
      });
    },
  };
}

/** A loop may begin with a look before the compaction. */
const FEW_CALLS = 4;

/** If the guard's latest step is further from the call than this, the guard counts from another call. The window is not longer. */
const MAX_DISTANCE = 80;

/**
 * The difference between the guard's call numbers and ours. The guard skips retries, and starts over after a restart.
 */
function offsetOf(steps: readonly number[], call: number): number {
  const latest = steps.reduce((most, step) => Math.max(most, step), -1);
  return latest >= 0 && (latest > call || call - latest > MAX_DISTANCE) ? call - latest : 0;
}

/**
 * The calls that a finding names, in order: those that show it, those from `since` on that are equal, and the latest.
 * None if the finding is about words.
 */
function namedIn(
  finding: Finding,
  named: readonly number[],
  { call, since, history }: { readonly call: number; readonly since: number; readonly history: CallHistory },
): readonly number[] {
  if (finding.kind === "text-only" || finding.kind === "repeated-text") return [];
  const isOneCall = finding.kind === "repeated-call" && !finding.evidence.isFuzzy;
  const repeated = isOneCall ? history.repeatedBy(call, since) : [];
  const places = [...repeated, ...named, call].filter((place) => place >= 0 && place <= call);
  const steps = [...new Set(places)].sort((one, other) => one - other);
  if (finding.kind === "repeated-call") return steps.filter((step) => !history.isPassedOver(step));
  if (finding.kind !== "call-cycle") return steps;
  const first = history.beginningOf(steps[0]!, finding.period, since);
  return [...Array.from({ length: steps[0]! - first }, (_, at) => first + at), ...steps];
}

/** The tools of a finding: those of the calls that fail come first, or else of all its calls, the most frequent first. */
function toolsOf(
  { tools }: Finding,
  steps: readonly number[],
  { history, window }: Pick<RunWatch, "history" | "window">,
): readonly string[] {
  const failing = steps.filter((step) => history.at(step)?.signs.isFailing === true);
  const times = new Map<string, number>();
  for (const call of (failing.length > 0 ? failing : steps).map(window.callOf)) {
    const tool = call && shownTool(toolOf(call));
    if (tool !== undefined) times.set(tool, (times.get(tool) ?? 0) + 1);
  }
  return tools.map(shownTool).sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
}

/** Whether a finding is about calls with equal arguments. Other calls are the same only in substance, or similar. */
function hasEqualCalls(finding: Finding, steps: readonly number[], history: CallHistory): boolean {
  if (finding.kind !== "repeated-call") return finding.kind === "call-cycle" || finding.kind === "test-fix";
  const calls = steps.map((step) => history.at(step)?.key).filter((call) => call !== undefined);
  return !finding.evidence.isFuzzy && new Set(calls).size <= 1;
}

function given(facts: SessionFacts): SessionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Converts between call numbers in the recording and in the guard, which skips calls that a tool rule ignores. */
interface CountedCalls {
  /** Must be called for each call of the recording, in order. */
  note(index: number, event: CallEvent): void;
  /** The guard's number for a call of the recording. */
  placeOf(index: number): number;
  /** The call of the recording with this number in the guard. */
  indexOf(place: number): number;
}

/** Limit on the ignored calls that are remembered. Findings only refer to recent calls. */
const MAX_IGNORED = 2_000;

export function createCountedCalls(rules: ToolRules = {}): CountedCalls {
  // The guard already reports errors thrown by rules.
  const ruleOf = createToolRules(rules, () => {});
  let ignored: number[] = [];
  let forgotten = 0;
  /** How many remembered ignored calls come before a call. */
  const before = (isBefore: (at: number) => boolean): number => {
    let at = ignored.length;
    while (at > 0 && !isBefore(at)) at--;
    return at;
  };
  return {
    note(index, { tool, args }) {
      const { ignore } = ruleOf(typeof tool === "string" ? toolLabel(tool) : "");
      if (typeof ignore === "function" ? ignore(args) !== true : ignore !== true) return;
      ignored.push(index);
      if (ignored.length <= MAX_IGNORED) return;
      forgotten += MAX_IGNORED / 2;
      ignored = ignored.slice(MAX_IGNORED / 2);
    },
    placeOf: (index) => index - forgotten - before((at) => ignored[at - 1]! <= index),
    indexOf: (place) => place + forgotten + before((at) => ignored[at - 1]! < place + forgotten + at),
  };
}
