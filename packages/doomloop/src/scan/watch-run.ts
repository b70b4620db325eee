import type { Finding } from "../core/detectors/index.ts";
import type { AgentEvent, CallEvent } from "../core/event.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import type { GuardOptions } from "../core/options.ts";
import { createToolRules } from "../core/policy/tool-rules.ts";
import type { ToolRules } from "../core/tool-rule.ts";
import type { SessionFacts, TranscriptUsage } from "../transcripts/reader.ts";
import { type AnswerLedger, createAnswerLedger } from "./costs/answer-ledger.ts";
import { createLoopBook, type LoopBook, whatRepeats } from "./loop-book.ts";
import { createCallIndices, createReplayGuard, isEvent } from "./replay/replay-run.ts";
import type { Uncounted } from "./run-record.ts";
import { createStepWindow, type StepWindow, type StepWindowOptions } from "./step-window.ts";

/** Ignored calls that are remembered: findings are about the latest ones. */
const MAX_IGNORED = 2_000;

interface WatchRunOptions extends StepWindowOptions {
  readonly guardOptions: GuardOptions;
}

/** A run that is being read: what the guard says to it, and what it spends. */
export interface RunWatch {
  readonly run: string;
  readonly facts: SessionFacts;
  readonly ledger: AnswerLedger;
  readonly book: LoopBook;
  readonly window: StepWindow;
  addFacts(facts: SessionFacts): void;
  observe(event: AgentEvent, at: number | undefined): void;
  addUsage(usage: TranscriptUsage): void;
  /** Whether anything happened in it. */
  isEmpty(): boolean;
  /** Faults inside the guard. */
  faults(): number;
  tally(): RunTally;
}

interface RunTally {
  readonly calls: number;
  readonly badEvents: number;
  /** When the first and the last thing happened that bears a time. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** Steps further back than this are not those of the call: the guard counts its calls from another one. */
const MAX_DISTANCE = 80;

/** Creates the watch of one run. The run goes on as it was recorded, whatever the guard decides. */
export function watchRun(run: string, options: WatchRunOptions): RunWatch {
  const { guardOptions, keepsAll, includesContent, stepRoom } = options;
  const guard = createReplayGuard(guardOptions);
  const book = createLoopBook();
  const indices = createCallIndices();
  const heard = createHeardCalls(guardOptions.tools);
  const ledger = createAnswerLedger();
  const window = createStepWindow({ keepsAll, includesContent, stepRoom });
  let facts: SessionFacts = {};
  let badEvents = 0;
  let first: number | undefined;
  let last: number | undefined;
  let events = 0;

  const judge = (event: AgentEvent, call: number): void => {
    const decision = guard.observe(event);
    const finding = decision.finding ?? guard.shown();
    if (finding === undefined) return;
    const action = decision.finding && decision.action;
    const offset = offsetOf(finding.steps, heard.placeOf(call));
    const indexOf = (step: number): number => heard.indexOf(step + offset);
    const onset = Math.max(0, Math.min(call, ...finding.steps.map(indexOf)));
    const uncounted = uncountedOf(finding, indexOf);
    const describe = (): string => whatRepeats(finding, (step) => window.labelOf(indexOf(step)));
    const answer = ledger.current();
    if (!book.note({ finding, action, call, onset, answer, at: last ?? null, uncounted, describe })) return;
    window.keep(onset, call);
    for (const passed of uncounted) window.keepBefore(passed.call);
  };

  return {
    run,
    get facts() {
      return facts;
    },
    ledger,
    book,
    window,
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
      const call = indices.indexOf(event);
      if (event.type === "call") {
        heard.note(call, event);
        window.call(call, event, at);
      } else if (event.type === "result") window.result(call, event);
      judge(event, call);
    },
    addUsage: (usage) => ledger.addUsage(usage),
    isEmpty: () => events === 0 && badEvents === 0,
    faults: () => guard.stats().faults,
    tally: () => ({ calls: indices.count, badEvents, first, last }),
  };
}

/** How far the guard's count of calls is from ours: it leaves out retries, and begins anew after a restart. */
function offsetOf(steps: readonly number[], call: number): number {
  const latest = steps.reduce((most, step) => Math.max(most, step), -1);
  return latest >= 0 && (latest > call || call - latest > MAX_DISTANCE) ? call - latest : 0;
}

/** The repeats that a finding did not count, by our count of calls. */
function uncountedOf(finding: Finding, indexOf: (step: number) => number): readonly Uncounted[] {
  if (finding.kind !== "repeated-call") return [];
  const { uncounted } = finding.evidence;
  return uncounted.map(({ step, reason }) => ({ call: indexOf(step), reason })).filter(({ call }) => call >= 0);
}

function given(facts: SessionFacts): SessionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** The calls that a guard counts: those that no rule ignores. Leads from its count to that of the recording, and back. */
interface HeardCalls {
  /** Takes each call of the recording, in order. */
  note(index: number, event: CallEvent): void;
  /** How the guard counts a call of the recording. */
  placeOf(index: number): number;
  /** Which call of the recording the guard counts so. */
  indexOf(place: number): number;
}

export function createHeardCalls(rules: ToolRules = {}): HeardCalls {
  // What a rule throws, the guard reports.
  const ruleOf = createToolRules(rules, () => {});
  let ignored: number[] = [];
  let forgotten = 0;
  /** How many of those that are remembered come before a call. */
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
