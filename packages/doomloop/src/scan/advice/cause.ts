import type { Step } from "../../core/memory/step.ts";
import { saysItGoesOn } from "../../core/outcome/answer-says.ts";
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
  readonly isFileRead: boolean;
  /** It changes a file's text. */
  readonly isEdit: boolean;
  /** The answer says that there is nothing, or no. */
  readonly isNothing: boolean;
  readonly isNo: boolean;
  /** The call only notes what the agent thinks. */
  readonly isThought: boolean;
}

/** What is known of a loop when the guard speaks. */
export interface LoopSigns {
  readonly kind: string;
  /** One for each step that the finding names. */
  readonly steps: readonly StepSigns[];
  /** All steps from the first that the finding names to the last. */
  readonly all: readonly StepSigns[];
  /** The calls wait for something, or poll. */
  readonly isWaiting: boolean;
  /** What a step answered. Foreign: for comparison only. */
  readonly answerOf: (at: number) => string;
  /** The same call was made before the conversation was compacted, and the loop began after that. */
  readonly isAfterCompaction: boolean;
}

const THOUGHT = /^(?:\w{1,20}_)?(?:think|thinking|thought|reason|reflect|plan)(?:_\w{1,20})?$/i;

export function signsOf(step: Step): StepSigns {
  const { effect, isCommand, isSeen, failure, isFileRead, isFileWork, brings, isNothing, isNo, tool } = step;
  return {
    ...{ effect, isCommand, isSeen, isFileRead, isNothing, isNo },
    isFailing: failure !== undefined,
    // A command that writes may also install or build something.
    isEdit: effect === "write" && (!isCommand || isFileWork || brings),
    isThought: THOUGHT.test(tool),
  };
}

const MAX_READ = 600;
/** Longer answers say more than what they confirm, or than that there is nothing. */
const CURT = 120;
/** Longer failures mention more than what is absent. */
const SHORT = 300;
/** A cause is read from this many of the latest steps. */
const MAX_STEPS = 9;

const MISMATCH =
  /\b(?:string|text|snippet|context|hunk|old_?str\w{0,6}|lines?)\b[^.\n]{0,60}\b(?:not found|not appear|not match|no match)|no replacement|no edits made|\b0 occurrences|matches of the string|failed to find (?:expected|context)|patch (?:failed|does not apply)/i;
const MISSING =
  /command not found|: not found\s*$|\b(?:no such|unknown|missing) (?:tool|command|script)|\b(?:no such|unknown) function|not recognized as an|\b(?:tool|function) [^\n]{1,80}(?:does not exist|not (?:found|available|defined))/i;
const CLOSED =
  /(?:permission|access)(?: is| was)? denied|\bdenied to\b|forbidden|unauthori[sz]ed|not authori[sz]ed|not permitted|password is required|authentication (?:failed|required)|could not resolve host|network is unreachable|no route to host|\b(?:http|status|error|code)\W{0,12}40[13]\b|invalid api key|EACCES|EPERM|read-only file system|login required|not logged in/i;
const FAULTY =
  /syntax ?error|invalid syntax|error in your sql|malformed|\bunknown (?:column|database|table|argument|option|flag|field|parameter)|\binvalid (?:action|argument|option|json|parameter|input)|unexpected (?:token|end of|eof|argument|keyword)|unrecognized (?:argument|option)|missing (?:required|argument|parameter|\d{1,2} required)|\busage:|is ambiguous|must precede|\b(?:table|column|relation) [^\n]{1,80} does(?:n't| not) exist|no such (?:column|table)|did not contain|requires an argument|you must specify|try '[^'\n]{1,40} --help'/i;
/** The error is in a file that a command runs, not in the call. */
const IN_A_FILE = /\bFile "[^"<\n]/;
const NOTHING =
  /^\W{0,8}(?:(?:sorry|error|search|query)\W{1,4})?(?:no|nothing|none|0|found 0|zero)\b[^\n]{0,60}?\b(?:found|match(?:es|ed|ing)?|results?|exists?|records?|rows|entries|items|hits|files?)\b|^\W{0,8}not found\b/i;
const FAILED_TESTS =
  /[Ff]ailed (?:\d+\/\d+ )?[Tt]est|\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|\bassertion ?error|\bFAIL(?:ED)?\b|\berror (?:TS\d|\[E\d)|error\[E\d/;
const ABSENT = /no such file|cannot access|ENOENT|does not exist|not found|no matches/i;
const DONE = /\b(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|sent|set|true|\p{L}{2,20}ed)\b/iu;

/**
 * The cause of a loop, if the steps show it: most of those that fail, or else most of all, must have the same sign.
 * Otherwise "unknown".
 */
export function causeOf(loop: LoopSigns): Cause {
  const from = Math.max(0, loop.steps.length - MAX_STEPS);
  const read = loop.steps.slice(from).map((step, at) => ({ step, answer: readable(loop.answerOf(from + at)) }));
  const failing = read.filter(({ step }) => step.isFailing);
  const causes = (failing.length > 0 ? failing : read).map(({ step, answer }) =>
    step.isFailing ? causeOfFailure(loop, step, answer) : causeOfSuccess(loop, step, answer),
  );
  const most = causes.toSorted((one, other) => timesOf(other, causes) - timesOf(one, causes))[0];
  return most !== undefined && 3 * timesOf(most, causes) >= 2 * causes.length ? most : "unknown";
}

function timesOf(cause: Cause, causes: readonly Cause[]): number {
  return causes.filter((other) => other === cause).length;
}

function causeOfFailure(loop: LoopSigns, step: StepSigns, answer: string): Cause {
  if (step.effect === "write" && MISMATCH.test(answer)) return "edit-mismatch";
  if (MISSING.test(answer)) return "tool-missing";
  if (FAILED_TESTS.test(answer) && (step.effect === "test" || step.isCommand)) return causeOfFailingTest(loop);
  if (CLOSED.test(answer)) return "closed-door";
  if (step.effect === "test") return causeOfFailingTest(loop);
  if (FAULTY.test(answer) && !(step.isCommand && IN_A_FILE.test(answer))) return "faulty-call";
  const isAbsent = step.isNothing || (answer.length <= SHORT && ABSENT.test(answer));
  return step.effect === "look" && isAbsent ? "nothing-found" : "unknown";
}

/** Tests and builds show whether something works. The steps in between show whether anything was tried. */
function causeOfFailingTest({ all }: LoopSigns): Cause {
  const others = all.filter(({ isFailing, effect }) => !isFailing && effect !== "test");
  if (others.some(({ isEdit }) => isEdit)) return "fix-without-effect";
  return others.every(({ effect }) => effect === "look" || effect === "watch" || effect === "wait")
    ? "test-without-edit"
    : "unknown";
}

function causeOfSuccess(loop: LoopSigns, step: StepSigns, answer: string): Cause {
  const { effect, isFileRead } = step;
  // A recording without results does not say whether calls succeeded.
  if (!step.isSeen || step.isThought) return "unknown";
  if (effect === "write" && FAULTY.test(answer)) return "faulty-call";
  const isPolling = effect === "wait" || (effect === "watch" && loop.isWaiting);
  if (isPolling || (!isFileRead && saysItGoesOn(answer))) return "impatient";
  if (effect === "look" || effect === "watch") return causeOfLook(loop, step, answer);
  const isAct = effect === "say" || effect === "write" || effect === "move" || (effect === "act" && !step.isCommand);
  const isCurt = answer.trim() === "" || (answer.length <= CURT && DONE.test(answer));
  return isAct && isCurt && !step.isNo ? "silent-success" : "unknown";
}

function causeOfLook({ kind, isAfterCompaction }: LoopSigns, step: StepSigns, answer: string): Cause {
  const { effect, isNothing, isNo } = step;
  if (isAfterCompaction) return "lost-after-compaction";
  // A single digit says how many there are.
  if ((isNothing && !/^[1-9]$/.test(answer.trim())) || NOTHING.test(answer.slice(0, CURT))) return "nothing-found";
  // What may change by itself may have been asked for again for that reason.
  if (isNo || effect === "watch") return "unknown";
  // Other kinds are about calls that differ: each may have had its reason.
  return kind === "repeated-call" || kind === "call-cycle" ? "result-unread" : "unknown";
}

/** The beginning and the end of an answer: what went wrong is said there. */
function readable(answer: string): string {
  return answer.length <= 2 * MAX_READ ? answer : `${answer.slice(0, MAX_READ)}\n${answer.slice(-MAX_READ)}`;
}
