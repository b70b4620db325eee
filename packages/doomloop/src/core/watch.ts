import type { AgentEvent } from "./event.ts";
import { EMPTY, type Memory } from "./memory.ts";
import { type Observed, observe, type Read } from "./observe.ts";
import { type ReadingTerms, readEvent, refuse } from "./reading/read-event.ts";
import { createRunMemory } from "./reading/run-memory.ts";
import type { Ladder } from "./stage.ts";
import type { Call, Step } from "./step.ts";

/** A run whose results nobody sees is answered by words alone, and not before its calls are so many. */
const FEWEST_UNSEEN = 8;
/** What a repeat counts whose result nobody sees. */
const UNSEEN = 2 / 3;

/** Watches a run: reads each event, and judges what was read. Remembers the run, and nothing of its texts. */
export function createWatch(terms: ReadingTerms, ladder: Ladder): (event: AgentEvent) => Observed {
  const run = createRunMemory();
  let memory: Memory = EMPTY;
  const judge = (read: Read): Observed => {
    const observed = observe(memory, read, ladder);
    memory = observed.memory;
    return observed;
  };
  return (event) => {
    const read = readEvent(run, event, terms);
    switch (read.kind) {
      case "user":
      case "progress":
        return judge({ kind: "turn" });
      case "call": {
        if (read.isBlind) {
          const step = unseen(read.call, run.hasRounds);
          return wordsOnly(
            judge({ kind: "step", step, isConfirmed: false, wants: (seen) => mayBeUnseen(step, seen.kind) }),
          );
        }
        const observed = judge(read);
        if (observed.reply === "block") refuse(run, read.open);
        return observed;
      }
      case "step":
        // What was counted before the first result was seen is no evidence.
        if (run.results === 1) memory = EMPTY;
        return judge({ kind: "step", step: read.step, isConfirmed: false, wants: () => true });
      case "nothing":
        return { memory, reply: "continue" };
    }
  };
}

/** A call as a step, where no results are seen. */
function unseen(call: Call, hasRounds: boolean): Step {
  return {
    ...call,
    round: hasRounds ? call.round : call.index,
    subject: 0,
    trust: UNSEEN,
    effect: "watch",
    result: 1,
    form: 1,
    length: Number.MAX_SAFE_INTEGER,
    outcome: "unseen",
    failure: undefined,
    progress: "none",
  };
}

function mayBeUnseen({ index }: Step, kind: string): boolean {
  return index >= FEWEST_UNSEEN - 1 && (kind === "repeated-call" || kind === "call-cycle");
}

function wordsOnly(observed: Observed): Observed {
  return observed.reply === "nudge" || observed.reply === "warn" ? observed : { ...observed, reply: "continue" };
}
