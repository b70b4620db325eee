import type { Finding } from "../../core/detectors/index.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import { createGuard } from "../../index.ts";
import type { SessionFacts, TranscriptUsage } from "../../transcripts/reader.ts";
import { createCallIndices } from "../replay/call-indices.ts";
import { isEvent } from "../replay/is-event.ts";
import { type AnswerLedger, createAnswerLedger } from "./costs/answer-ledger.ts";
import { createLoopBook, type LoopBook } from "./loop-book.ts";
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
  tally(): RunTally;
}

interface RunTally {
  readonly calls: number;
  readonly badEvents: number;
  readonly faults: number;
  /** When the first and the last thing happened that bears a time. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** Steps further back than this are not those of the call: the guard counts its calls from another one. */
const MAX_DISTANCE = 80;

/** Creates the watch of one run. The run goes on as it was recorded, whatever the guard decides. */
export function watchRun(run: string, { guardOptions, keepsAll, includesContent }: WatchRunOptions): RunWatch {
  const guard = createGuard(guardOptions);
  const indices = createCallIndices();
  const ledger = createAnswerLedger();
  const book = createLoopBook();
  const window = createStepWindow({ keepsAll, includesContent });
  let facts: SessionFacts = {};
  let badEvents = 0;
  let first: number | undefined;
  let last: number | undefined;
  let events = 0;

  const note = (finding: Finding, action: Parameters<LoopBook["note"]>[0]["action"], call: number): void => {
    const offset = offsetOf(finding.steps, call);
    const onset = Math.max(0, Math.min(call, ...finding.steps.map((step) => step + offset)));
    window.keep(onset, call);
    book.note({
      finding,
      action,
      call,
      onset,
      answer: ledger.current(),
      at: last ?? null,
      describe: () => whatRepeats(finding, (step) => window.labelOf(step + offset)),
    });
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
      if (event.type === "call") window.call(call, event, at);
      else if (event.type === "result") window.result(call, event);
      const { action, finding } = guard.observe(event);
      if (finding !== undefined) note(finding, action, call);
    },
    addUsage: (usage) => ledger.addUsage(usage),
    isEmpty: () => events === 0 && badEvents === 0,
    tally: () => ({ calls: indices.count, badEvents, faults: guard.stats().faults, first, last }),
  };
}

/** How far the guard's count of calls is from ours: it leaves some out, and begins anew after a restart. */
function offsetOf(steps: readonly number[], call: number): number {
  const latest = steps.reduce((most, step) => Math.max(most, step), -1);
  return latest >= 0 && (latest > call || call - latest > MAX_DISTANCE) ? call - latest : 0;
}

function given(facts: SessionFacts): SessionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
