import type { GuardOptions } from "../../../packages/doomloop/src/index.ts";

/** Something in the core that can be done without, to see what it earns. */
export interface Mechanism {
  readonly name: string;
  /** What of core would go with it: files, or functions in them, `file.ts#function`. */
  readonly takes: readonly string[];
  /** Options that switch it off. */
  readonly options?: Pick<GuardOptions, "detectors" | "progress">;
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
  replacing("identity/fingerprint.ts#partOf", "(whole) => whole"),
  replacing("identity/fingerprint.ts#plainPath", "(path) => path"),
  replacing("identity/fingerprint.ts#digestOfAction", NOTHING),
  replacing("judge/like-of.ts#likeOf", NOTHING, ["judge/like-of.ts"]),
  replacing("memory/open-calls.ts#isRetry", NEVER),

  // What does a call do?
  trait("code", ["progress/read-call.ts#codeKind"]),
  trait("database", ["progress/read-call.ts#databaseKind"]),
  trait("delegate"),
  trait("move"),
  trait("page", ["identity/fingerprint.ts#digestOfAction"]),
  trait("think"),
  trait("wait", ["progress/read-call.ts#declaredWaitMs"]),
  replacing("progress/tool-words.ts#traitsOf", '(tool) => original(tool).filter((each) => each === "shell")', [
    "progress/tool-words.ts",
    "progress/read-call.ts#readTool",
  ]),
  replacing("progress/read-call.ts#traitsWith", "(tool) => traitsOf(tool)"),
  replacing("progress/read-call.ts#editorView", NOTHING),
  replacing("progress/read-call.ts#bringsContent", NEVER),
  replacing("progress/read-call.ts#filePath", NOTHING),
  replacing("progress/edit-pair.ts#editPair", NOTHING, ["progress/edit-pair.ts", "memory/world.ts#isNewEdit"]),
  replacing(
    "shell/read-command.ts#readCommand",
    '(command) => ({ substance: command, file: undefined, effect: "unknown", waitMs: 0, isCompound: false, isTest: false, isFileOperation: false })',
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
  named("shell isCompound", {
    "shell/read-command.ts#readCommand": "(command) => ({ ...original(command), isCompound: false })",
  }),
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
  named("failure isClosedDoor", {
    "outcome/read-failure.ts#failureOf": "(...told) => ({ ...original(...told), isClosedDoor: false })",
  }),
  named("failure isBusy", {
    "outcome/read-failure.ts#failureOf": "(...told) => ({ ...original(...told), isBusy: false })",
  }),
  replacing("outcome/output-text.ts#saysIsError", NEVER),
  replacing("outcome/read-outcome.ts#saysNoWord", "(text) => text.trim().length < 2"),
  replacing("outcome/read-outcome.ts#withoutOurWords", "(text) => text"),
  replacing("outcome/answer-says.ts#saysItGoesOn", NEVER),
  replacing("outcome/answer-says.ts#saysItIsOver", NEVER),
  replacing("outcome/answer-says.ts#tellsState", NEVER),
  replacing("outcome/answer-says.ts#didNotRun", NEVER),
  replacing("outcome/answer-says.ts#failingTests", NOTHING),
  replacing("outcome/volatile-words.ts#isVolatileAt", NEVER, ["outcome/volatile-words.ts"]),
  replacing("memory/views.ts#compareSteps", NOTHING, [
    "memory/views.ts#compareSteps",
    "outcome/compare-outcomes.ts#compareOutcomes",
    "outcome/compare-outcomes.ts#countMissing",
    "judge/occurrences.ts#likeness",
  ]),
  replacing("outcome/outcome-edges.ts#edgeOf", "() => 0", ["outcome/outcome-edges.ts"]),
  replacing("identity/word-hash.ts#hashWithout", "(_own, ...rest) => original(new Set(), ...rest)"),
  replacing("judge/could-be-read.ts#couldBeRead", ALWAYS, ["judge/could-be-read.ts"]),

  // Is having it again innocent?
  {
    name: "progress.worldChange",
    takes: ["memory/world.ts", "judge/could-be-read.ts", "progress/edit-pair.ts"],
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
    takes: ["judge/waiting.ts#isPatient", "judge/waiting.ts#noteWaiting"],
    options: { progress: { patienceMs: 0 } },
  },
  replacing("judge/waiting.ts#waitingOf", NOTHING, ["judge/waiting.ts", "judge/timers.ts", "memory/pace.ts"]),
  replacing("judge/waiting.ts#waitsBefore", NEVER),
  replacing("judge/waiting.ts#sleeps", NEVER),
  replacing("judge/waiting.ts#sleptMs", "() => 0"),
  replacing("judge/timers.ts#tookAsLongAsTold", NEVER, ["judge/timers.ts"]),
  replacing("memory/pace.ts#isPause", NEVER, ["memory/pace.ts"]),
  replacing("memory/world.ts#measure", NEVER),
  replacing("memory/views.ts#isLikeEarlier", NEVER),
  replacing("judge/judge-repeat.ts#isRecall", NEVER),
  replacing("judge/judge-repeat.ts#isMuteAct", NEVER),
  replacing("judge/judge-repeat.ts#isSample", NEVER),
  replacing("judge/occurrences.ts#measuresItself", NEVER),
  replacing("run.ts#forgetBlindness", "() => {}"),

  // Are several calls attempts at one thing?
  replacing("identity/likeness.ts#similarityOf", "() => 0"),
  replacing("identity/likeness.ts#coversNewGround", NEVER),
  replacing("detectors/similar-call.ts#isOverwrite", NEVER, [
    "detectors/similar-call.ts#isOverwrite",
    "identity/likeness.ts#sharesValue",
  ]),
  replacing("identity/variation.ts#variationOf", '() => "rewording"', [
    "identity/variation.ts",
    "judge/list-of-items.ts",
  ]),
  replacing("identity/variation.ts#resembleEachOther", NEVER),
  replacing("identity/variation.ts#areItems", NEVER),
  replacing("identity/variation.ts#isSpeltAnew", NEVER),
  replacing("identity/variation.ts#withoutConstants", "(calls) => calls"),
  replacing("judge/list-of-items.ts#isListOfItems", NEVER, ["judge/list-of-items.ts"]),
  replacing("judge/streak.ts#weightOf", "(steps) => steps.length"),
  replacing(
    "judge/streak.ts#isSuccess",
    "({ isSeen, isSynthetic, failure }) => isSeen && !isSynthetic && failure === undefined",
  ),

  // The detectors.
  detector("repeated-call", ["detectors/repeated-call-options.ts"]),
  {
    name: "repeated-call.fuzzyThreshold",
    takes: [],
    options: { detectors: { "repeated-call": { fuzzyThreshold: false } } },
  },
  {
    name: "repeated-call.extraForSilence",
    takes: [],
    options: { detectors: { "repeated-call": { extraForSilence: 0 } } },
  },
  {
    name: "repeated-call.movingThreshold",
    takes: [],
    options: { detectors: { "repeated-call": { movingThreshold: 3 } } },
  },
  detector("call-cycle", ["detectors/trail.ts"]),
  detector("similar-call"),
  detector("same-outcome"),
  detector("failure-streak"),
  detector("test-fix", ["outcome/answer-says.ts#failingTests", "shell/is-test-run.ts"]),
  detector("stalled"),
  replacing("detectors/stalled.ts#areOneAnswer", NEVER),
  detector("repeated-text", ["words/word-stream.ts", "words/read-words.ts"]),
  detector("text-only", ["words/answers.ts"]),
  replacing("detectors/may-yet-see.ts#mayYetSee", NEVER, ["detectors/may-yet-see.ts"]),

  // How far may it go?
  named("proof", { "judge/certainty.ts#provesNothingHappened": NEVER }, ["judge/certainty.ts"]),
  named("doubt", { "judge/certainty.ts#provesNothingHappened": ALWAYS }, ["judge/certainty.ts", "judge/is-wordy.ts"]),
  replacing("judge/is-wordy.ts#isWordy", NEVER, ["judge/is-wordy.ts"]),
  replacing("detectors/repeated-call.ts#isSteady", ALWAYS),
  replacing("detectors/repeated-call.ts#isBeyondDoubt", NEVER),
  replacing("judge/foresee.ts#prospectOf", '() => "open"', ["judge/foresee.ts", "judge/judge-repeat.ts#wouldCount"]),
  replacing("policy/climb.ts#isOneAttempt", NEVER),
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
  const by = `(tool) => original(tool).filter((each) => each !== ${JSON.stringify(name)})`;
  return { name: `trait ${name}`, takes, replaced: { "progress/tool-words.ts#traitsOf": by } };
}

function detector(kind: keyof NonNullable<GuardOptions["detectors"]>, takes: readonly string[] = []): Mechanism {
  return {
    name: kind,
    takes: [`detectors/${kind}.ts`, `messages/${kind}.ts`, ...takes],
    options: { detectors: { [kind]: false } },
  };
}
