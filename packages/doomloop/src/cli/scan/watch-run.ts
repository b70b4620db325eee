import type { Decision } from "../../core/decision.ts";
import type { Finding } from "../../core/detectors/index.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import type { SessionFacts, TranscriptUsage } from "../../transcripts/reader.ts";
import { createCallIndices } from "../replay/call-indices.ts";
import { createReplayGuard } from "../replay/create-replay-guard.ts";
import { isEvent } from "../replay/is-event.ts";
import { createAlternativeJudges, createWaitingRoom, type WaitingRoom } from "./alternative-judges.ts";
import { type AnswerLedger, createAnswerLedger } from "./costs/answer-ledger.ts";
import { createLoopBook, type LoopBook } from "./loop-book.ts";
import type { Uncounted } from "./run-record.ts";
import { createStepWindow, type StepWindow, type StepWindowOptions } from "./step-window.ts";
import { whatRepeats } from "./what-repeats.ts";

export interface WatchRunOptions extends StepWindowOptions {
  readonly guardOptions: GuardOptions;
  /**
   * Other options, to judge the run by as well; no steps are kept then.
   * @default none
   */
  readonly alternatives?: readonly GuardOptions[] | undefined;
  /**
   * Where events wait for the alternatives; the runs of a file share it.
   * @default one for this run
   */
  readonly room?: WaitingRoom | undefined;
}

/** Where a run is when something happens: the call, the answer, and the latest time. */
export interface RunMoment {
  readonly call: number;
  readonly answer: number;
  readonly at: number | undefined;
}

/** What a guard with certain options says to a run. */
export interface RunJudge {
  readonly book: LoopBook;
  /** Returns whether it found something. */
  observe(event: AgentEvent, moment: RunMoment): boolean;
  faults(): number;
}

/** A run that is being read: what the guard says to it, and what it spends. */
export interface RunWatch {
  readonly run: string;
  readonly facts: SessionFacts;
  readonly ledger: AnswerLedger;
  /** The first is the one that was asked for, the others are the alternatives. Asked for once, at the end. */
  judges(): readonly [RunJudge, ...RunJudge[]];
  readonly window: StepWindow;
  addFacts(facts: SessionFacts): void;
  observe(event: AgentEvent, at: number | undefined): void;
  addUsage(usage: TranscriptUsage): void;
  /** Whether anything happened in it. */
  isEmpty(): boolean;
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
  const { guardOptions, alternatives, keepsAll, includesContent } = options;
  const indices = createCallIndices();
  const ledger = createAnswerLedger();
  const window = createStepWindow({ keepsAll, includesContent });
  let facts: SessionFacts = {};
  let badEvents = 0;
  let first: number | undefined;
  let last: number | undefined;
  let events = 0;

  const note = (book: LoopBook, { action, finding }: Decision, { call, answer, at }: RunMoment): boolean => {
    if (finding === undefined) return false;
    const offset = offsetOf(finding.steps, call);
    const onset = Math.max(0, Math.min(call, ...finding.steps.map((step) => step + offset)));
    const uncounted = uncountedOf(finding, offset);
    if (others === undefined) {
      window.keep(onset, call);
      for (const passed of uncounted) window.keepBefore(passed.call);
    }
    const describe = (): string => whatRepeats(finding, (step) => window.labelOf(step + offset));
    book.note({ finding, action, call, onset, answer, at: at ?? null, uncounted, describe });
    return true;
  };

  const judgeBy = (own: GuardOptions): RunJudge => {
    const guard = createReplayGuard(own);
    const book = createLoopBook();
    return {
      book,
      observe: (event, moment) => note(book, guard.observe(event), moment),
      faults: () => guard.stats().faults,
    };
  };
  const judge = judgeBy(guardOptions);
  const others =
    alternatives === undefined
      ? undefined
      : createAlternativeJudges(alternatives, judgeBy, options.room ?? createWaitingRoom());

  return {
    run,
    get facts() {
      return facts;
    },
    ledger,
    judges: () => [judge, ...(others?.list() ?? [])],
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
      if (event.type === "call") window.call(call, event, at);
      else if (event.type === "result") window.result(call, event);
      const moment: RunMoment = { call, answer: ledger.current(), at: last };
      const isFound = judge.observe(event, moment);
      others?.observe(event, moment, isFound);
    },
    addUsage: (usage) => ledger.addUsage(usage),
    isEmpty: () => events === 0 && badEvents === 0,
    tally: () => ({ calls: indices.count, badEvents, first, last }),
  };
}

/** How far the guard's count of calls is from ours: it leaves some out, and begins anew after a restart. */
function offsetOf(steps: readonly number[], call: number): number {
  const latest = steps.reduce((most, step) => Math.max(most, step), -1);
  return latest >= 0 && (latest > call || call - latest > MAX_DISTANCE) ? call - latest : 0;
}

/** The repeats that a finding did not count, by our count of calls. */
function uncountedOf(finding: Finding, offset: number): readonly Uncounted[] {
  if (finding.kind !== "repeated-call") return [];
  const { uncounted } = finding.evidence;
  return uncounted.map(({ step, reason }) => ({ call: step + offset, reason })).filter(({ call }) => call >= 0);
}

function given(facts: SessionFacts): SessionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
