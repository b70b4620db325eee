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
  replacing("identity/call-arguments.ts#readArguments", "(args) => args", ["identity/call-arguments.ts"]),
  replacing("identity/fingerprint.ts#fingerprintOf", NOTHING, ["identity/fingerprint.ts", "judge/like-of.ts"]),
  {
    name: "progress.comparedArguments",
    takes: ["identity/fingerprint.ts#lasting"],
    options: { progress: { comparedArguments: "primary" } },
  },
  replacing("identity/fingerprint.ts#isIncidental", NEVER, [
    "identity/fingerprint.ts#isIncidental",
    "identity/fingerprint.ts#lasting",
  ]),
  replacing("identity/fingerprint.ts#placeOf", NOTHING),
  replacing("identity/fingerprint.ts#partOf", "(whole) => whole"),
  replacing("identity/fingerprint.ts#plainPath", "(path) => path"),
  replacing("identity/fingerprint.ts#digestOfAction", NOTHING),
  replacing("judge/like-of.ts#likeOf", NOTHING, ["judge/like-of.ts"]),
  replacing("memory/open-calls.ts#isRetry", NEVER),

  // What does a call do?
  trait("asks"),
  trait("code"),
  trait("database"),
  trait("looks"),
  trait("measures"),
  trait("moves"),
  trait("page", ["identity/fingerprint.ts#digestOfAction", "progress/field-signs.ts#putsText"]),
  trait("says"),
  trait("steps"),
  trait("waits", ["progress/field-signs.ts#declaredWaitMs"]),
  trait("writes"),
  replacing(
    "progress/tool-words.ts#readToolName",
    '(tool) => ({ traits: original(tool).traits.filter((each) => each === "shell"), isInside: false })',
    ["progress/tool-words.ts", "progress/read-call.ts#readTool"],
  ),
  named("tool isInside", {
    "progress/tool-words.ts#readToolName": "(tool) => ({ ...original(tool), isInside: false })",
  }),
  replacing("progress/field-signs.ts#namesInside", NEVER),
  replacing("progress/read-call.ts#verbTraits", NOTHING),
  replacing("progress/field-signs.ts#databaseAct", NOTHING),
  replacing("progress/field-signs.ts#bringsContent", NEVER),
  replacing("progress/field-signs.ts#putsText", NEVER),
  replacing("progress/field-signs.ts#filePath", NOTHING),
  replacing("progress/edit-pair.ts#editPair", NOTHING, ["progress/edit-pair.ts", "memory/world.ts#isNewEdit"]),
  replacing(
    "shell/read-command.ts#readCommand",
    '(command) => ({ substance: command, file: undefined, effect: "unknown", waitMs: 0, isCompound: false, isOutside: false, isStarting: false, isMeasuring: false, isTest: false, isFileOperation: false })',
    [
      "shell/base-name.ts",
      "shell/draft.ts",
      "shell/is-test-run.ts",
      "shell/join-path.ts",
      "shell/program-effect.ts",
      "shell/programs.ts",
      "shell/read-command.ts",
      "shell/read-program.ts",
      "shell/read-script.ts",
      "shell/read-word.ts",
      "shell/tokenize.ts",
      "shell/unwrap.ts",
      "shell/viewed-file.ts",
    ],
  ),
  named("shell substance", {
    "shell/read-command.ts#readCommand": "(command) => ({ ...original(command), substance: command })",
  }),
  shellSign("isCompound"),
  shellSign("isMeasuring"),
  shellSign("isOutside"),
  shellSign("isStarting"),
  replacing("shell/unwrap.ts#unwrap", "(_words, from) => from", ["shell/unwrap.ts"]),
  replacing("shell/viewed-file.ts#viewedFile", NOTHING, ["shell/viewed-file.ts", "shell/join-path.ts"]),
  replacing("shell/is-test-run.ts#isTestRun", NEVER, ["shell/is-test-run.ts"]),
  replacing("shell/program-effect.ts#programEffect", "() => 3", ["shell/program-effect.ts", "shell/programs.ts"]),

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
  replacing("outcome/output-text.ts#saysIsError", NEVER),
  replacing("outcome/read-outcome.ts#saysNoWord", "(text) => text.trim().length < 2"),
  replacing("outcome/without-our-words.ts#withoutOurWords", "(output) => output"),
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
  replacing("outcome/volatile-words.ts#isVolatileAt", NEVER, ["outcome/volatile-words.ts"]),
  replacing("memory/views.ts#compareSteps", NOTHING, [
    "memory/views.ts#compareSteps",
    "outcome/compare-outcomes.ts#compareOutcomes",
    "outcome/compare-outcomes.ts#countMissing",
    "judge/occurrences.ts#likeness",
  ]),
  replacing("outcome/outcome-edges.ts#edgeOf", "() => 0", ["outcome/outcome-edges.ts"]),
  replacing("identity/word-hash.ts#hashWithout", "(_own, ...rest) => original(new Set(), ...rest)"),
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
    takes: ["memory/news.ts", "judge/judge-repeat.ts#hasNewsInLap"],
    options: { progress: { news: false } },
  },
  {
    name: "progress.userTurn",
    takes: ["memory/run-state.ts#breakStreaks"],
    options: { progress: { userTurn: false } },
  },
  {
    name: "progress.patienceMs",
    takes: ["judge/waiting.ts#isPatient", "judge/waiting.ts#timesAsPatient", "judge/waiting.ts#noteWaiting"],
    options: { progress: { patienceMs: 0 } },
  },
  {
    name: "progress.forgives",
    takes: ["judge/table.ts", "judge/judge-repeat.ts#cellOf", "judge/judge-repeat.ts#isSample"],
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
  replacing("judge/waiting.ts#waitingOf", NOTHING, ["judge/waiting.ts", "judge/timers.ts", "memory/pace.ts"]),
  replacing("judge/waiting.ts#waitsBefore", NEVER),
  replacing("judge/waiting.ts#sleeps", NEVER),
  replacing("judge/waiting.ts#sleptMs", "() => 0"),
  replacing("judge/waiting.ts#isRightAfterAct", NEVER, [
    "judge/waiting.ts#isRightAfterAct",
    "judge/waiting.ts#mayFollow",
  ]),
  replacing("judge/waiting.ts#hasActedSince", NEVER),
  replacing("judge/timers.ts#tookAsLongAsTold", NEVER, ["judge/timers.ts"]),
  replacing("memory/pace.ts#isPause", NEVER, ["memory/pace.ts"]),
  replacing("memory/world.ts#measure", NEVER),
  replacing("memory/views.ts#isLikeEarlier", NEVER),
  replacing("judge/judge-repeat.ts#isRecall", NEVER),
  replacing("judge/judge-repeat.ts#changesAgain", NEVER),
  replacing("judge/judge-repeat.ts#isOver", NEVER),
  replacing("judge/judge-repeat.ts#isSample", NEVER),
  replacing("judge/occurrences.ts#hasOthers", NEVER),
  replacing("judge/occurrences.ts#measuresItself", NEVER),
  replacing("memory/run-state.ts#forgetBlindness", "() => {}"),

  // Are several calls attempts at one thing?
  replacing("identity/likeness.ts#similarityOf", "() => 0"),
  replacing("identity/likeness.ts#coversNewGround", NEVER),
  replacing("identity/likeness.ts#differInNumbers", NEVER),
  replacing("detectors/similar-call.ts#isOverwrite", NEVER, [
    "detectors/similar-call.ts#isOverwrite",
    "identity/likeness.ts#sharesValue",
  ]),
  replacing("identity/variation.ts#variationOf", '() => "rewording"', [
    "identity/variation.ts#variationOf",
    "judge/list-of-items.ts",
  ]),
  replacing("identity/variation.ts#resembleEachOther", NEVER),
  replacing("identity/variation.ts#isSpeltAnew", NEVER),
  replacing("identity/variation.ts#areItems", NEVER, [
    "identity/variation.ts#areItems",
    "identity/variation.ts#partsBesides",
  ]),
  replacing("identity/variation.ts#withoutConstants", "(calls) => calls"),
  replacing("identity/variation.ts#areRewordings", NEVER, [
    "identity/variation.ts#areRewordings",
    "identity/variation.ts#withoutFrame",
    "identity/variation.ts#numbersIn",
    "identity/variation.ts#sharedPart",
    "identity/variation.ts#newPart",
    "detectors/stalled.ts#inspectSaid",
  ]),
  replacing("identity/variation.ts#withoutFrame", "(texts) => texts"),
  replacing("judge/list-of-items.ts#isListOfItems", NEVER, ["judge/list-of-items.ts"]),
  replacing("judge/list-of-items.ts#isListOfNames", "(steps) => isListOfItems(steps)"),
  replacing("judge/streak.ts#weightOf", "(steps) => steps.length"),
  replacing("judge/streak.ts#isIdle", NEVER),

  // The detectors.
  detector("repeated-call", ["detectors/repeated-call-options.ts"]),
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
  detector("test-fix", ["outcome/answer-says.ts#failingTests", "shell/is-test-run.ts"]),
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
  detector("repeated-text", ["words/word-stream.ts", "words/read-words.ts"]),
  detector("text-only", ["words/answers.ts"]),
  replacing("detectors/may-yet-see.ts#mayYetSee", NEVER, ["detectors/may-yet-see.ts"]),

  // How far may it go?
  named("proof", { "judge/judge-step.ts#provesNothingHappened": NEVER }, ["judge/judge-step.ts#provesNothingHappened"]),
  named("doubt", { "judge/judge-step.ts#provesNothingHappened": ALWAYS }, [
    "judge/judge-step.ts#provesNothingHappened",
  ]),
  replacing("judge/judge-step.ts#areEqual", ALWAYS),
  replacing("judge/is-wordy.ts#isWordy", NEVER, ["judge/is-wordy.ts"]),
  replacing("judge/foresee.ts#prospectOf", '() => "open"', ["judge/foresee.ts"]),
  { name: "ladderPace", takes: ["policy/pace.ts"], options: { ladderPace: false } },
  replacing("policy/pace.ts#isDue", ALWAYS),
  replacing("policy/pace.ts#nextWords", "({ count, round }) => (count === 0 ? 0 : round + 1)"),
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
  return {
    name: kind,
    takes: [`detectors/${kind}.ts`, `messages/sentences.ts#${sentence}`, ...takes],
    options: { detectors: { [kind]: false } },
  };
}
