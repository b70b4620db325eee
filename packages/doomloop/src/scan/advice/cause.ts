import { saysItGoesOn } from "../../core/hints/results.ts";
import type { Judged } from "../../core/judged.ts";
import type { Effect } from "../../core/step.ts";

/** Why an agent went in circles, as far as rules can tell. */
export type Cause =
  | "result-unread"
  | "tool-missing"
  | "closed-door"
  | "faulty-call"
  | "edit-mismatch"
  | "test-without-edit"
  | "fix-without-effect"
  | "already-done"
  | "lost-after-compaction"
  | "nothing-found"
  | "impatient"
  | "unknown";

/** What a step of a loop shows. Holds none of its text but the tool's name, or a hash of it. */
export interface StepSigns {
  readonly tool: string;
  readonly effect: Effect;
  readonly isCommand: boolean;
  /** Its outcome is known. */
  readonly isSeen: boolean;
  readonly isFailing: boolean;
  /** A flag or an exit code says that it failed. Otherwise only words in the answer do. */
  readonly isToldFailure: boolean;
  /** It changes a file's text. */
  readonly isEdit: boolean;
  /** The answer says that there is nothing, or no. */
  readonly isNothing: boolean;
  readonly isNo: boolean;
  /** The call only notes what the agent thinks. */
  readonly isThought: boolean;
}

/** A step of a loop with its answer. */
export interface LoopStep {
  readonly signs: StepSigns;
  /** What it answered. Foreign: for comparison only. */
  readonly answer: () => string;
}

/** What is known of a loop when the guard speaks. */
export interface LoopSigns {
  readonly kind: string;
  /** How many calls a lap has. */
  readonly period: number;
  /** One for each step that the finding names. */
  readonly steps: readonly LoopStep[];
  /** The steps between them that it does not name. */
  readonly others: readonly LoopStep[];
  /** The calls wait for something, or poll. */
  readonly isWaiting: boolean;
  /** The same call was made before the conversation was compacted, and the loop began after that. */
  readonly isAfterCompaction: boolean;
}

const TESTS = /test|build|lint/i;
const THOUGHT = /^(?:\w{1,20}_)?(?:think|thinking|thought|reason|reflect|plan)(?:_\w{1,20})?$/i;

export function signsOf({ step, open, text }: Judged): StepSigns {
  const { tool, effect, outcome, failure } = step;
  return {
    ...{ tool, effect, isCommand: open.isCommand, isSeen: text !== undefined },
    isFailing: outcome === "failed",
    isToldFailure: failure?.isTold === true,
    isEdit: effect === "write",
    isNothing: outcome === "empty",
    isNo: outcome === "no",
    isThought: THOUGHT.test(tool),
  };
}

const MAX_READ = 600;
/** Longer answers say more than what they confirm, or than that there is nothing. */
const CURT = 120;
/** Longer failures mention more than what is absent. */
const SHORT = 300;
/** A cause is read from this many of the latest steps. */
const MAX_STEPS = 10;

const MISMATCH =
  /\b(?:string|text|snippet|context|hunk|old_?str\w{0,6}|lines?)\b[^.\n]{0,60}\b(?:not found|not appear|not match|no match)|\bnot find (?:the |an? )?(?:exact |matching |given )?(?:text|string|snippet|match)\b|no replacement|no edits made|\b0 occurrences|matches of the string/i;
/** The same, said of a patch. Other commands also say that a text is not found. */
const NO_PATCH = /failed to find (?:expected|context)|patch (?:failed|does not apply)/i;
/** A shell says that a program is missing. Other programs also have commands that they don't know, such as a debugger. */
const NO_PROGRAM =
  /(?:sh|sudo|line \d{1,5}): (?:\d{1,5}: )?[a-z][\w.+-]{0,40}: (?:command )?not found|\bzsh:(?:\d{1,5}:)? command not found: [a-z]|: executable file not found in|' is not recognized as an|\b[Mm]issing script: /;
const NO_TOOL =
  /\b(?:no such|unknown) (?:tool|function)|\b(?:tool|function) [^\n]{1,80}(?:does not exist|not (?:found|available|defined))/i;
const CLOSED =
  /(?:permission|access)(?: is| was)? denied|\bpermission [^\n]{1,120} denied\b|\bdenied (?:to|by)\b|forbidden|unauthori[sz]ed|not authori[sz]ed|not permitted|password is required|authentication (?:failed|required)|\b(?:http|status|error|code)\W{0,12}40[13]\b|invalid api key|EACCES|EPERM|EROFS|read-only (?:file ?system|transaction|mode)|login required|not logged in|(?:session|token|credentials?)(?: has| have)? expired|sign in again/i;
const FAULTY =
  /syntax ?error|invalid syntax|error in your sql|malformed command|\bunknown (?:column|database|table|argument|option|flag|field|parameter)|\binvalid (?:option|parameter)|unexpected (?:token|end of|eof|argument|keyword)|unrecognized (?:argument|option)|missing (?:required|argument|parameter|\d{1,2} required)|is ambiguous|must precede|\b(?:table|column|relation) [^\n]{1,80} does(?:n't| not) exist|no such (?:column|table)|extra operand|requires an argument|you must specify/i;
/** What tools say of their arguments. Programs say it of other things, too. */
const FAULTY_ARGUMENT =
  /\bmust (?:not )?(?:be|match|have|contain|start|end)\b|\b(?:parameter|argument|field|property|value|valid [\w ]{1,30}) is (?:a )?required|\brequired (?:parameter|argument|field|property)|parse error|validation (?:error|failed)|\binvalid (?:query|argument|value|input|format|request|date|type|enum|json)\b|(?:exactly the same|identical)\b|\bexpected (?:a |an )?(?:string|number|object|array|boolean|integer)\b/i;
/** The error is in a file that a command runs, not in the call. */
const IN_A_FILE = /\bFile "[^"<\n]|\w\.[a-z]{1,5}(?::|: line |\()\d/;
/** An answer that says that there is nothing. Silence does not: a filter prints nothing for many reasons. */
const NOTHING =
  /^\s{0,8}\[\]\s{0,8}$|^\W{0,8}(?:(?:sorry|error|search|query)\W{1,4})?(?:no|nothing|none|0|found 0|zero)\b(?! (?:errors?|issues?|problems?|warnings?|changes?)\b)[^\n]{0,60}?\b(?:found|match(?:es|ed|ing)?|results?|exists?|records?|rows|entries|items|hits|files?)\b|^\W{0,8}not found\b/i;
/** Also what a build says, which is no test to us. */
const FAILED_TESTS =
  /[Ff]ailed (?:\d+\/\d+ )?[Tt]est|\b[1-9]\d{0,5} (?:tests?|specs?|checks?|examples?|suites?) (?:failed|failing)\b|\b[Aa]ssertion ?[Ee]rror|^(?:--- )?FAIL(?:ED)?\b|\berror (?:TS\d|\[E\d)|error\[E\d/m;
/** Also said of other things than tests. */
const SOME_FAILED = /\b[1-9]\d{0,5} (?:failed|failing)\b/;
const SOME_PASSED = /\bpass(?:ed|ing|es)?\b/i;
/** A path on its own: a search that fails at some places has found something at another. */
const FOUND = /^\.{0,2}\/\S{1,300}$/m;
const ABSENT = /no such file|cannot access|ENOENT|does not exist|not found|no matches/i;
const NO_FOLDER = /\w\/['"’]?: no such file/i;
/** Names a path. A word that is no path may come from a malformed command. */
const NO_FILE = /[/.][\w-]{1,80}\/?['"’]?: no such file|ENOENT|no such file or directory: ['"]/i;
const DONE =
  /\b(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|sent|saved|set|clicked|created|added|updated|modified|deleted|removed|written)\b/i;
const NOT_DONE = /\b(?:no|not|nothing|fail\w{0,6}|error|unable|invalid)\b|n't\b/i;

/** The cause of a loop, if the steps show it: most of those that fail, or else most of all. Otherwise "unknown". */
export function causeOf(loop: LoopSigns): Cause {
  const read = loop.steps.slice(-MAX_STEPS).map(readStep);
  const failing = read.filter(hasFailed);
  if (failing.length > 0) {
    // A lap that ends with a failing check is made again because of it.
    const perLap = failing.every(isFailingTest) ? loop.period : 1;
    const causes = failing.map((one) => causeOfFailure(loop, one));
    return explains(failing.length * perLap, read.length) ? mostOf(causes) : "unknown";
  }
  // What fails between the calls is why they are made again.
  const others = loop.others.filter(hasFailed);
  if (others.length > 1 && explains(others.length, loop.steps.length))
    return mostOf(others.slice(-MAX_STEPS).map((one) => causeOfFailure(loop, readStep(one))));
  const answers = read.map(({ answer }) => answer);
  return mostOf(read.map((one) => causeOfSuccess(loop, one, timesOf(one.answer, answers) > 1)));
}

/** What happens now and then in a loop does not explain it. What happens in every second call does. */
function explains(times: number, steps: number): boolean {
  return 2 * times >= steps - 1;
}

/** What most steps show, if it is two thirds of them. */
function mostOf(causes: readonly Cause[]): Cause {
  const most = causes.toSorted((one, other) => timesOf(other, causes) - timesOf(one, causes))[0];
  return most !== undefined && 3 * timesOf(most, causes) >= 2 * causes.length ? most : "unknown";
}

interface ReadStep {
  readonly signs: StepSigns;
  readonly answer: string;
}

function readStep({ signs, answer }: LoopStep): ReadStep {
  return { signs, answer: readable(answer()) };
}

function hasFailed({ signs }: { readonly signs: StepSigns }): boolean {
  return signs.isFailing;
}

function timesOf<Item>(item: Item, items: readonly Item[]): number {
  return items.filter((other) => other === item).length;
}

function causeOfFailure(loop: LoopSigns, { signs, answer }: ReadStep): Cause {
  if (signs.effect === "write" && isMismatch(signs, answer)) return "edit-mismatch";
  if (isFailingTest({ signs, answer })) return causeOfFailingTest(loop);
  // Words about failure in a text that was read are not about the call.
  const isContent = !signs.isToldFailure && !signs.isCommand && answer.trim().includes("\n");
  return isContent ? "unknown" : complaintIn(signs, answer);
}

function isFailingTest({ signs, answer }: ReadStep): boolean {
  const { effect, isCommand, tool } = signs;
  const failsTests = FAILED_TESTS.test(answer) || (SOME_FAILED.test(answer) && SOME_PASSED.test(answer));
  const isTest = effect === "test" || ((isCommand || TESTS.test(tool)) && failsTests);
  return isTest && !isToolMissing(signs, answer);
}

function isMismatch({ isCommand }: StepSigns, answer: string): boolean {
  return NO_PATCH.test(answer) || (!isCommand && MISMATCH.test(answer));
}

/** What an answer says is wrong with the call, or with what it asks for. */
function complaintIn(signs: StepSigns, answer: string): Cause {
  const { effect, isCommand, isToldFailure } = signs;
  if (isToolMissing(signs, answer)) return "tool-missing";
  const isSearch = isCommand && FOUND.test(answer);
  if (CLOSED.test(answer) && !isSearch) return "closed-door";
  if (FAULTY.test(answer) && !(isCommand && IN_A_FILE.test(answer))) return "faulty-call";
  if (isToldFailure && !isCommand && FAULTY_ARGUMENT.test(answer)) return "faulty-call";
  const isAbsent =
    answer.length <= SHORT &&
    ((isCommand ? NO_FILE : ABSENT).test(answer) || NO_FOLDER.test(answer) || NOTHING.test(answer));
  return (effect === "look" || (effect === "watch" && isToldFailure)) && isAbsent && !isSearch
    ? "nothing-found"
    : "unknown";
}

/** Whether a shell answered that there is no such program, so that nothing ran. */
function isProgramMissing(answer: string): boolean {
  return NO_PROGRAM.test(readable(answer));
}

/** A shell says which program is missing. Whoever runs tools names the tool that was called. */
function isToolMissing({ isCommand, tool }: StepSigns, answer: string): boolean {
  return isCommand ? isProgramMissing(answer) : NO_TOOL.test(answer) && answer.includes(tool);
}

/** Tests and builds show whether something works. The steps in between show whether anything was tried. */
function causeOfFailingTest(loop: LoopSigns): Cause {
  const all = [...loop.steps, ...loop.others].map(({ signs }) => signs);
  if (loop.kind === "failure-streak" || !failsAsBefore(loop)) return "unknown";
  const others = all.filter(({ isFailing, effect }) => !isFailing && effect !== "test");
  if (others.filter(({ isEdit }) => isEdit).length > 1) return "fix-without-effect";
  const isLooking = others.every(({ effect }) => effect === "look" || effect === "watch" || effect === "wait");
  return isLooking && hasEqualCalls(loop) ? "test-without-edit" : "unknown";
}

/** Whether most failures came more than once, but for numbers. A failure that is new each time was affected by something. */
function failsAsBefore({ steps, others }: LoopSigns): boolean {
  const failing = [...steps, ...others].filter(hasFailed).slice(-MAX_STEPS).map(readStep).filter(isFailingTest);
  const answers = failing.map(({ answer }) => answer.replace(/\d{1,20}/g, "0"));
  const known = answers.filter((answer) => timesOf(answer, answers) > 1);
  return answers.length === 1 || 3 * known.length >= 2 * answers.length;
}

function causeOfSuccess(loop: LoopSigns, { signs, answer }: ReadStep, isEqual: boolean): Cause {
  const { effect, isCommand } = signs;
  // A recording without results does not say whether calls succeeded.
  if (!signs.isSeen || signs.isThought) return "unknown";
  // A pipe succeeds although a part of it failed.
  const complaint = isCommand && answer.length <= SHORT ? complaintIn(signs, answer) : "unknown";
  if (complaint !== "unknown") return complaint;
  const isPolling = (effect === "wait" || effect === "watch") && loop.isWaiting;
  // A long text that was read may speak of such things.
  const isState = effect !== "look" || answer.length <= CURT;
  if (isPolling || (isState && saysItGoesOn(answer))) return "impatient";
  if (effect === "look" || effect === "watch") return causeOfLook(loop, signs, answer, isEqual);
  const isDone = answer.length <= CURT && DONE.test(answer) && !NOT_DONE.test(answer);
  return hasEqualCalls(loop) && !isCommand && isDone && !signs.isNo ? "already-done" : "unknown";
}

function causeOfLook(loop: LoopSigns, { effect, isNothing, isNo }: StepSigns, answer: string, isEqual: boolean): Cause {
  if (loop.isAfterCompaction) return "lost-after-compaction";
  if (NOTHING.test(answer.slice(0, CURT))) return "nothing-found";
  // A single digit says how many there are.
  const isMute = isNothing && !/^[1-9]$/.test(answer.trim());
  // What may change by itself may have been asked for again for that reason.
  if (isMute || isNo || effect === "watch") return "unknown";
  return hasEqualCalls(loop) && isEqual ? "result-unread" : "unknown";
}

/** Other kinds are about calls that differ: each may have had its reason. */
function hasEqualCalls({ kind }: LoopSigns): boolean {
  return kind === "repeated-call" || kind === "call-cycle";
}

/** The beginning and the end of an answer: what went wrong is said there. */
function readable(answer: string): string {
  return answer.length <= 2 * MAX_READ ? answer : `${answer.slice(0, MAX_READ)}\n${answer.slice(-MAX_READ)}`;
}
