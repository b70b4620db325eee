import type { Step } from "../../core/memory/step.ts";
import type { Effect } from "../../core/progress/read-command.ts";

/** Why an agent went in circles, as far as rules can tell. */
export type Cause =
  | "result-unread"
  | "tool-missing"
  | "closed-door"
  | "faulty-call"
  | "edit-mismatch"
  | "test-without-edit"
  | "fix-without-effect"
  | "silent-success"
  | "lost-after-compaction"
  | "nothing-found"
  | "impatient"
  | "unknown";

/** What a step of a loop shows. Holds none of its text. */
export interface StepSigns {
  readonly effect: Effect;
  readonly isCommand: boolean;
  /** Its outcome is known. */
  readonly isSeen: boolean;
  readonly isFailing: boolean;
  /** It fails because of who or where the agent is. */
  readonly isClosedDoor: boolean;
  /** The call itself is wrong. */
  readonly isFaultyCall: boolean;
  /** It changes a file. */
  readonly isEdit: boolean;
  /** The answer says that there is nothing. */
  readonly isNothing: boolean;
}

/** What is known of a loop when the guard first speaks. */
export interface LoopSigns {
  readonly kind: string;
  /** One for each step that the finding names. */
  readonly steps: readonly StepSigns[];
  /** The calls wait for something, or poll. */
  readonly isWaiting: boolean;
  /** What a step answered. Foreign: for comparison only. */
  readonly answerOf: (at: number) => string;
  /** The same call was made before the conversation was compacted, and the loop began after that. */
  readonly isAfterCompaction: boolean;
}

export function signsOf(step: Step): StepSigns {
  const { effect, isCommand, isSeen, failure, isFileWork, brings, isNothing } = step;
  return {
    effect,
    isCommand,
    isSeen,
    isFailing: failure !== undefined,
    isClosedDoor: failure?.isClosedDoor === true,
    isFaultyCall: failure?.isFinal === true && !failure.isClosedDoor,
    isEdit: effect === "write" && (isFileWork || brings),
    isNothing,
  };
}

const MAX_READ = 600;

const MISMATCH =
  /\b(?:string|text|snippet|context|hunk|old_?str\w{0,6}|lines?)\b[^.\n]{0,60}\b(?:not found|not appear|not match|no match)|no replacement|no edits made|\b0 occurrences|matches of the string|failed to find (?:expected|context)|patch (?:failed|does not apply)/i;
const MISSING =
  /command not found|: not found\s*$|\b(?:no such|unknown|missing) (?:tool|command|script|function)|not recognized as an|\b(?:tool|function) [^\n]{1,80}(?:does not exist|not (?:found|available|defined))/i;
const CLOSED =
  /permission denied|access denied|\bdenied\b|forbidden|unauthori[sz]ed|not authori[sz]ed|not permitted|password is required|could not resolve host|connection refused|network is unreachable|\b40[13]\b|EACCES|EPERM|read-only file system|login required|not logged in/i;
const FAULTY =
  /syntax error|error in your sql|malformed|\bunknown (?:column|database|table|argument|option|flag|field|parameter)|\binvalid (?:argument|option|syntax|json|parameter)|unexpected (?:token|end of|eof|argument)|missing (?:required|argument|parameter)|\busage:|is ambiguous|must precede|\b(?:table|column|relation) [^\n]{1,80} does(?:n't| not) exist|did not contain|requires an argument|you must specify|try '[^'\n]{1,40} --help'/i;
const NOTHING =
  /\bno (?:match|result|file|item|entr|record|such)|\bnothing\b|\bnot found|\b0 (?:results|matches|hits|items|files)/i;
const EMPTY = /^(?:0|none|null|\[\]|\{\}|"")?$/i;
const FAILED_TESTS =
  /[Ff]ailed (?:\d+\/\d+ )?[Tt]est|\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|\bassertion ?error|\bFAIL(?:ED)?\b|\berror (?:TS\d|\[E\d)|error\[E\d/;
const ABSENT = /no such file|cannot access|ENOENT|does not exist|not found|no matches/i;
const PENDING =
  /\b(?:running|pending|in[_ -]progress|queued|waiting|starting|processing|building|not ready|unchanged|scheduled)\b/i;

/** The cause of a loop. The most telling sign decides: a failure that says why, before one that does not. */
export function causeOf(loop: LoopSigns): Cause {
  const { kind, steps, isAfterCompaction } = loop;
  const failing = steps.findLastIndex(({ isFailing }) => isFailing);
  if (failing >= 0) return causeOfFailure(kind, steps, failing, readable(loop.answerOf(failing)));
  if (isAfterCompaction) return "lost-after-compaction";
  const last = steps.at(-1);
  // A recording without results does not say whether calls succeeded.
  if (last === undefined || !last.isSeen) return "unknown";
  return causeOfSuccess(last, loop.isWaiting, readable(loop.answerOf(steps.length - 1)));
}

function causeOfFailure(kind: string, steps: readonly StepSigns[], at: number, answer: string): Cause {
  const step = steps[at]!;
  if (step.isEdit && MISMATCH.test(answer)) return "edit-mismatch";
  if (MISSING.test(answer)) return "tool-missing";
  if (step.isClosedDoor || CLOSED.test(answer)) return "closed-door";
  if (kind === "test-fix") return "fix-without-effect";
  if (step.effect !== "test" && (step.isFaultyCall || FAULTY.test(answer))) return "faulty-call";
  if (MISMATCH.test(answer)) return "edit-mismatch";
  if (isCheck(step, answer))
    return steps.some(({ isEdit, isFailing }) => isEdit && !isFailing) ? "fix-without-effect" : "test-without-edit";
  return step.isNothing || ABSENT.test(answer) ? "nothing-found" : "unknown";
}

/** Tests and builds: they show whether something works. */
function isCheck({ effect }: StepSigns, answer: string): boolean {
  return effect === "test" || FAILED_TESTS.test(answer);
}

function causeOfSuccess(step: StepSigns, isWaiting: boolean, answer: string): Cause {
  const { effect } = step;
  const isAct = effect === "say" || effect === "write" || effect === "move" || (effect === "act" && !step.isCommand);
  if (step.isEdit && FAULTY.test(answer)) return "faulty-call";
  if (isWaiting || effect === "wait" || (effect === "watch" && PENDING.test(answer))) return "impatient";
  if (!isAct && (EMPTY.test(answer.trim()) || NOTHING.test(answer))) return "nothing-found";
  return isAct ? "silent-success" : "result-unread";
}

/** The beginning and the end of an answer: what went wrong is said there. */
function readable(answer: string): string {
  return answer.length <= 2 * MAX_READ ? answer : `${answer.slice(0, MAX_READ)}\n${answer.slice(-MAX_READ)}`;
}
