import type { Finding } from "../core/detectors/index.ts";
import type { AgentEvent } from "../core/event.ts";
import type { GuardOptions } from "../core/options.ts";
import type { SessionFacts, TranscriptUsage } from "../transcripts/reader.ts";
import { type AnswerLedger, createAnswerLedger } from "./costs/answer-ledger.ts";
import { createHeardCalls } from "./heard-calls.ts";
import { createLoopBook, type LoopBook } from "./loop-book.ts";
import { createCallIndices } from "./replay/call-indices.ts";
import { createReplayGuard } from "./replay/create-replay-guard.ts";
import { isEvent } from "./replay/is-event.ts";
import type { Uncounted } from "./run-record.ts";
import { createStepWindow, type StepWindow, type StepWindowOptions } from "./step-window.ts";
import { whatRepeats } from "./what-repeats.ts";

export interface WatchRunOptions extends StepWindowOptions {
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
