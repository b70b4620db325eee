import type { DetectorKind } from "../../../packages/doomloop/src/core/detectors/index.ts";
import type { Failure } from "../../../packages/doomloop/src/core/outcome/read-failure.ts";
import type { CommandReading } from "../../../packages/doomloop/src/core/shell/read-command.ts";
import type { GuardOptions } from "../../../packages/doomloop/src/index.ts";

/** Something in the core that can be done without, to see what it earns. */
export interface Mechanism {
  readonly name: string;
  /** What of core would go with it: files, or functions and constants in them, `file.ts#name`. */
  readonly takes: readonly string[];
  /** Options that switch it off. */
  readonly options?: Pick<GuardOptions, "detectors" | "progress" | "ladderPace">;
  /** Functions of core, `file.ts#function`, and the JavaScript in their place; see `Replacement`. */
  readonly replaced?: Readonly<Record<string, string>>;
}

const NEVER = "() => false";
const ALWAYS = "() => true";
const NOTHING = "() => undefined";

/** All mechanisms, in the order in which a step meets them. */
export const mechanisms: readonly Mechanism[] = [
  // What is the same call?
  replacing("identity/call-identity.ts#readArguments", "(args) => args"),
  replacing("identity/fingerprint.ts#fingerprintOf", NOTHING, [
    "identity/fingerprint.ts",
    "judge/find-known.ts#substanceKeyOf",
  ]),
  {
    name: "progress.comparedArguments",
    takes: ["identity/fingerprint.ts#withoutIncidentals"],
    options: { progress: { comparedArguments: "primary" } },
  },
  replacing("identity/fingerprint.ts#isIncidental", NEVER, [
    "identity/fingerprint.ts#isIncidental",
    "identity/fingerprint.ts#withoutIncidentals",
  ]),
  replacing("identity/fingerprint.ts#placeOf", NOTHING),
  replacing("identity/fingerprint.ts#partOf", "(whole) => whole"),
  replacing("identity/fingerprint.ts#plainPath", "(path) => path"),
  replacing("identity/fingerprint.ts#digestOfAction", NOTHING),
  replacing("judge/find-known.ts#substanceKeyOf", NOTHING, [
    "judge/find-known.ts#substanceKeyOf",
    "judge/find-known.ts#outcomesAlike",
    "judge/find-known.ts#sameCommand",
  ]),
  replacing("memory/open-calls.ts#isRetry", NEVER),

  // What does a call do?
  trait("asks"),
  trait("code"),
  trait("database"),
  trait("looks"),
  trait("measures"),
  trait("moves"),
  trait("page", ["identity/fingerprint.ts#digestOfAction", "progress/fields.ts#putsText"]),
  trait("says"),
  trait("steps"),
  trait("waits", ["progress/fields.ts#declaredWaitMs"]),
  trait("writes"),
  replacing(
    "progress/tool-words.ts#readToolName",
    '(tool) => ({ traits: original(tool).traits.filter((each) => each === "shell"), isInside: false })',
    ["progress/tool-words.ts", "progress/read-call.ts#readTool"],
  ),
  named("tool isInside", {
    "progress/tool-words.ts#readToolName": "(tool) => ({ ...original(tool), isInside: false })",
  }),
  replacing("progress/fields.ts#namesInside", NEVER),
  replacing("progress/read-call.ts#verbTraits", NOTHING),
  replacing("progress/fields.ts#databaseAct", NOTHING),
  replacing("progress/fields.ts#bringsContent", NEVER),
  replacing("progress/fields.ts#putsText", NEVER),
  replacing("progress/fields.ts#filePath", NOTHING),
  replacing("progress/edit-pair.ts#editPair", NOTHING, ["progress/edit-pair.ts", "memory/world.ts#isNewEdit"]),
  replacing(
    "shell/read-command.ts#readCommand",
    '(command) => ({ substance: command, file: undefined, effect: "unknown", waitMs: 0, isCompound: false, isOutside: false, isStarting: false, isMeasuring: false, isFileOperation: false })',
    [
      "shell/is-test-run.ts",

      "shell/programs.ts",
      "shell/read-command.ts",
      "shell/read-program.ts",

      "shell/tokenize.ts",
    ],
  ),
  named("shell substance", {
    "shell/read-command.ts#readCommand": "(command) => ({ ...original(command), substance: command })",
  }),
  shellSign("isCompound"),
  shellSign("isMeasuring"),
  shellSign("isOutside"),
  shellSign("isStarting"),
  replacing("shell/programs.ts#unwrap", "(_words, from) => from", [
    "shell/programs.ts#unwrap",
    "shell/programs.ts#endOfWrapper",
  ]),
  replacing("shell/read-program.ts#viewedFile", NOTHING, [
    "shell/read-program.ts#viewedFile",
    "shell/read-program.ts#joinPath",
  ]),
  replacing("shell/is-test-run.ts#isTestRun", NEVER, ["shell/is-test-run.ts"]),
  replacing("shell/programs.ts#programEffect", "() => 3", ["shell/programs.ts"]),

  // What does a result say?
  replacing(
    "outcome/read-failure.ts#readFailure",
    "(text, error) => (error === true ? original(text, error) : undefined)",
    ["outcome/read-failure.ts#seemsFailed", "outcome/read-failure.ts#exitCode", "outcome/read-failure.ts#readFailure"],
  ),
  replacing("outcome/read-failure.ts#seemsFailed", NEVER),
  replacing("outcome/read-failure.ts#exitCode", NOTHING),
  replacing("outcome/read-failure.ts#tellingLine", "(text) => text.slice(-300)"),
  replacing("outcome/read-failure.ts#withoutParticulars", "(line) => line"),
  failureSign("isBusy"),
  failureSign("isClosedDoor"),
  failureSign("isFaultyCall"),
  replacing("outcome/read-outcome.ts#saysIsError", NEVER),
  replacing("outcome/read-outcome.ts#saysNoWord", "(text) => text.trim().length < 2"),
  replacing("outcome/read-outcome.ts#withoutOurWords", "(output) => output"),
  replacing("outcome/answer-says.ts#saysItGoesOn", NEVER),
  replacing("outcome/answer-says.ts#saysItIsOver", NEVER),
  replacing("outcome/answer-says.ts#saysWhatChanged", NEVER, [
    "outcome/answer-says.ts#saysWhatChanged",
    "judge/judge-repeat.ts#changesAgain",
  ]),
  replacing("outcome/answer-says.ts#acknowledges", NEVER),
  replacing("outcome/answer-says.ts#didNotRun", NEVER),
  replacing("outcome/answer-says.ts#failingTests", NOTHING),
  replacing("judge/take-outcome.ts#isSaid", NEVER),
  replacing("outcome/describe-outcome.ts#isVolatileAt", NEVER),
  replacing("memory/views.ts#compareSteps", NOTHING, [
    "memory/views.ts#compareSteps",
    "outcome/compare-outcomes.ts#compareOutcomes",
    "outcome/compare-outcomes.ts#countMissing",
    "judge/find-known.ts#likeness",
  ]),
  replacing("outcome/describe-outcome.ts#edgeOf", "() => 0"),
  replacing("outcome/describe-outcome.ts#hashWithout", "(_own, ...rest) => original(new Set(), ...rest)"),
  replacing("memory/told-lines.ts#noteLines", "() => ({ pieces: 0, fresh: 0 })", [
    "memory/told-lines.ts",
    "detectors/stalled.ts#inspectSeen",
    "detectors/stalled.ts#isSeen",
  ]),

  // Is having it again innocent?
  {
    name: "progress.worldChange",
    takes: ["memory/world.ts", "progress/edit-pair.ts", "judge/judge-repeat.ts#changesAgain"],
    options: { progress: { worldChange: false } },
  },
  {
    name: "progress.news",
    takes: [
      "memory/run-state.ts#hasLearnedSince",
      "memory/run-state.ts#noteNews",
      "judge/judge-repeat.ts#hasNewsInLap",
    ],
    options: { progress: { news: false } },
  },
  {
    name: "progress.userTurn",
    takes: ["memory/run-state.ts#breakStreaks"],
    options: { progress: { userTurn: false } },
  },
  {
    name: "progress.patienceMs",
    takes: ["judge/waiting.ts#isPatient", "judge/waiting.ts#timesAsPatient", "judge/waiting.ts#noteCheck"],
    options: { progress: { patienceMs: 0 } },
  },
  {
    name: "progress.forgives",
    takes: ["judge/table.ts", "judge/judge-repeat.ts#isSample"],
    options: { progress: { forgives: false } },
  },
  replacing("judge/table.ts#broughtBy", '() => "seen"'),
  replacing("words/stated-intent.ts#intentOf", "() => ({ times: 0, isWatching: false, isWaiting: false })", [
    "words/stated-intent.ts",
    "judge/judge-repeat.ts#timesAskedFor",
    "judge/waiting.ts#timesAsPatient",
  ]),
  replacing("judge/judge-repeat.ts#timesAskedFor", "() => 0"),
  replacing("judge/waiting.ts#timesAsPatient", "() => 1"),
  replacing("judge/waiting.ts#waitingOf", NOTHING, ["judge/waiting.ts", "memory/pauses.ts"]),
  replacing("judge/waiting.ts#waitsBefore", NEVER),
  replacing("judge/waiting.ts#sleeps", NEVER),
  replacing("judge/waiting.ts#sleptMs", "() => 0"),
  replacing("judge/waiting.ts#isRightAfterAct", NEVER, [
    "judge/waiting.ts#isRightAfterAct",
    "judge/waiting.ts#mayFollow",
  ]),
  replacing("judge/waiting.ts#hasActedSince", NEVER),
  replacing("judge/waiting.ts#tookAsLongAsTold", NEVER, [
    "judge/waiting.ts#tookAsLongAsTold",
    "judge/waiting.ts#isTimer",
  ]),
  replacing("memory/pauses.ts#isPause", NEVER, ["memory/pauses.ts"]),
  replacing("memory/world.ts#measure", NEVER),
  replacing("memory/views.ts#isLikeEarlier", NEVER),
  replacing("judge/judge-repeat.ts#isRecall", NEVER),
  replacing("judge/judge-repeat.ts#changesAgain", NEVER),
  replacing("judge/judge-repeat.ts#isOver", NEVER),
  replacing("judge/judge-repeat.ts#isSample", NEVER),
  replacing("judge/find-known.ts#hasOthers", NEVER),
  replacing("judge/find-known.ts#measuresItself", NEVER),
  replacing("memory/run-state.ts#forgetBlindness", "() => {}"),

  // Are several calls attempts at one thing?
  replacing("identity/compare-arguments.ts#similarityOf", "() => 0"),
  replacing("identity/compare-arguments.ts#coversNewGround", NEVER),
  replacing("identity/compare-arguments.ts#differInNumbers", NEVER),
  replacing("detectors/similar-call.ts#isOverwrite", NEVER, [
    "detectors/similar-call.ts#isOverwrite",
    "identity/compare-arguments.ts#sharesValue",
  ]),
  replacing("identity/compare-arguments.ts#variationOf", '() => "rewording"', [
    "identity/compare-arguments.ts#variationOf",
    "judge/streak.ts#isListOfItems",
    "judge/streak.ts#isListOfNames",
  ]),
  replacing("identity/compare-arguments.ts#resembleEachOther", NEVER),
  replacing("identity/compare-arguments.ts#isSpeltAnew", NEVER),
  replacing("identity/compare-arguments.ts#areItems", NEVER, [
    "identity/compare-arguments.ts#areItems",
    "identity/compare-arguments.ts#partsBesides",
  ]),
  replacing("identity/compare-arguments.ts#withoutConstants", "(calls) => calls"),
  replacing("identity/compare-arguments.ts#areRewordings", NEVER, [
    "identity/compare-arguments.ts#areRewordings",
    "identity/compare-arguments.ts#withoutFrame",
    "identity/compare-arguments.ts#numbersIn",
    "identity/compare-arguments.ts#sharedPart",
    "identity/compare-arguments.ts#newPart",
    "detectors/stalled.ts#inspectSaid",
  ]),
  replacing("identity/compare-arguments.ts#withoutFrame", "(texts) => texts"),
  replacing("judge/streak.ts#isListOfItems", NEVER, ["judge/streak.ts#isListOfItems", "judge/streak.ts#isListOfNames"]),
  replacing("judge/streak.ts#isListOfNames", "(steps) => isListOfItems(steps)"),
  replacing("judge/streak.ts#weightOf", "(steps) => steps.length"),
  replacing("judge/streak.ts#isIdle", NEVER),

  // The detectors.
  detector("repeated-call"),
  {
    name: "repeated-call.fuzzyThreshold",
    takes: [],
    options: { detectors: { "repeated-call": { fuzzyThreshold: false } } },
  },
  {
    name: "repeated-call.movingThreshold",
    takes: [],
    options: { detectors: { "repeated-call": { movingThreshold: 3 } } },
  },
  detector("call-cycle", ["detectors/trail.ts"]),
  replacing("detectors/call-cycle.ts#lapsFor", "(_tells, _period, laps) => laps", [
    "detectors/call-cycle.ts#lapsFor",
    "detectors/trail.ts#lapTells",
    "judge/judge-step.ts#tellsOf",
  ]),
  detector("similar-call"),
  detector("same-outcome"),
  named(
    "inspectStubborn",
    {
      // Only commands are asked, and of a failing step nothing else asks whether it is one.
      "detectors/same-outcome.ts#sameOutcome": `(options) => {
        const own = original(options);
        const unasked = (step) => step.failure === undefined ? step : { ...step, facts: { ...step.facts, isCommand: false } };
        return { ...own, inspect: (judged, run) => own.inspect({ ...judged, step: unasked(judged.step) }, run) };
      }`,
    },
    ["detectors/same-outcome.ts#inspectStubborn", "detectors/same-outcome.ts#isNewsBetween"],
  ),
  replacing("detectors/same-outcome.ts#samePages", "() => []"),
  detector("failure-streak"),
  detector("test-fix", ["outcome/answer-says.ts#failingTests"]),
  replacing("detectors/test-fix.ts#failsAsBefore", "({ outcome }, step) => outcome === step.outcome"),
  detector("stalled"),
  replacing("detectors/stalled.ts#inspectSeen", NOTHING, [
    "detectors/stalled.ts#inspectSeen",
    "detectors/stalled.ts#isAboutTheSame",
  ]),
  replacing("detectors/stalled.ts#inspectSaid", NOTHING, [
    "detectors/stalled.ts#inspectSaid",
    "detectors/stalled.ts#isBarren",
  ]),
  replacing("detectors/stalled.ts#attemptsUpTo", "() => []", [
    "detectors/stalled.ts#attemptsUpTo",
    "detectors/stalled.ts#mayStall",
    "detectors/stalled.ts#mayBeMany",
    "detectors/stalled.ts#mayBeAttempt",
    "detectors/stalled.ts#isLike",
    "memory/views.ts#isLikeEarlier",
  ]),
  detector("repeated-text", ["words/word-stream.ts"]),
  detector("text-only", ["words/answers.ts"]),
  replacing("detectors/detector.ts#isTooEarlyToCallBlind", NEVER),

  // How far may it go?
  named("proof", { "judge/judge-step.ts#provesNothingHappened": NEVER }, ["judge/judge-step.ts#provesNothingHappened"]),
  named("doubt", { "judge/judge-step.ts#provesNothingHappened": ALWAYS }, [
    "judge/judge-step.ts#provesNothingHappened",
  ]),
  replacing("judge/judge-step.ts#areEqual", ALWAYS),
  replacing("new-step.ts#isWordy", NEVER),
  replacing("judge/judge-repeat.ts#foresee", '() => "open"'),
  {
    name: "ladderPace",
    takes: ["policy/rungs.ts#isDue", "policy/rungs.ts#nextWords", "policy/rungs.ts#wordsIn"],
    options: { ladderPace: false },
  },
  replacing("policy/rungs.ts#isDue", ALWAYS),
  replacing("policy/rungs.ts#nextWords", "({ count, round }) => (count === 0 ? 0 : round + 1)"),
];

/** A function that something simple stands for; it goes by its name. */
function replacing(place: string, by: string, takes: readonly string[] = [place]): Mechanism {
  return { name: place.slice(place.indexOf("#") + 1), takes, replaced: { [place]: by } };
}

/** What cannot go by the name of a function. */
function named(name: string, replaced: Readonly<Record<string, string>>, takes: readonly string[] = []): Mechanism {
  return { name, takes, replaced };
}

/** What a word in a tool's name tells of it. */
function trait(name: string, takes: readonly string[] = []): Mechanism {
  const by = `(tool) => ({ ...original(tool), traits: original(tool).traits.filter((each) => each !== ${JSON.stringify(name)}) })`;
  return { name: `trait ${name}`, takes, replaced: { "progress/tool-words.ts#readToolName": by } };
}

/** What is said of a command beside what it does. */
function shellSign(field: keyof CommandReading): Mechanism {
  const by = `(command) => ({ ...original(command), ${field}: false })`;
  return named(`shell ${field}`, { "shell/read-command.ts#readCommand": by });
}

/** What is said of a failure beside that it is one. */
function failureSign(field: keyof Failure): Mechanism {
  const by = `(...told) => ({ ...original(...told), ${field}: false })`;
  return named(`failure ${field}`, { "outcome/read-failure.ts#failureOf": by });
}

function detector(kind: DetectorKind, takes: readonly string[] = []): Mechanism {
  const sentence = kind.replaceAll(/-[a-z]/g, (found) => found[1]!.toUpperCase());
  const words = kind === "repeated-call" ? "messages/repeated-call.ts" : `messages/sentences.ts#${sentence}`;
  return {
    name: kind,
    takes: [`detectors/${kind}.ts`, words, ...takes],
    options: { detectors: { [kind]: false } },
  };
}
