import { checkNames, GUARD_OPTIONS, shownNames } from "../checks/check-options.ts";
import { setRecent } from "../core/collections/bounded.ts";
import { reportOnce } from "../core/faults.ts";
import { type Digest, digestOf } from "../core/identity/digest.ts";
import type { AskingOptions } from "../core/options.ts";
import { createGuard, DoomloopError, type GuardOptions } from "../index.ts";
import { warnOnce } from "../warn-once.ts";
import type { HostAbilities } from "./abilities.ts";
import { createHostRun } from "./create-host-run.ts";
import type { HostOptions } from "./host-options.ts";
import type { HostRun, HostRunSettings, SavedHostRun } from "./host-run.ts";
import { keeperOf } from "./kept-guard.ts";
import { createWithFallback, type WithFallback } from "./with-fallback.ts";

/** The runs of one host, each with its own guard. */
export interface HostRuns {
  /** Starts a run that nothing else shares: for a wrapper made for one run, or if the adapter itself tells runs apart. */
  start(key?: string): HostRun;
  /** The run with this key (a thread, a session), new or as it was left. Objects are held weakly. */
  of(key: string | object): HostRun;
  /** The run is over. */
  end(key: string | object): void;
  /**
   * A conversation begins in this run, with these words of the user. If the caller's own guard has watched another one before, the user
   * has asked for something else: nothing before it counts any more. At the third one, the caller is told.
   */
  beginConversation(run: HostRun, text: string | undefined): void;
  /** Reports a fault of the adapter itself. The first fault goes to `onFault`; none is thrown. */
  reportFault(fault: unknown): void;
  /** Wraps code of the adapter that may fail, such as reading foreign objects. A fault is reported, and the fallback is used. */
  readonly withFallback: WithFallback;
}

const MAX_RUNS = 1000;
const SHARED = "guard: one guard watches one run, but several runs use it; pass options or createGuard instead";

const CONVERSATIONS = 3;
/** The conversations that a caller's own guard has watched: the digest of the latest one's first words, and how many there were. */
const conversations = new WeakMap<object, { readonly words: Digest; readonly count: number }>();

/**
 * Creates the runs of one host. Throws a `DoomloopError` for invalid options; nothing throws after that.
 *
 * Keeps at most 1000 runs with a text key. The least recently used one is forgotten first.
 */
export function createHostRuns(options: HostOptions, abilities: HostAbilities): HostRuns {
  const byText = new Map<string, HostRun>();
  const byObject = new WeakMap<object, HostRun>();
  const reportFault = reportOnce(options.onFault ?? warnOnce);
  const withFallback = createWithFallback(reportFault);
  // Guards share this reporter, so that the user hears of the first fault only.
  const makeGuard = createGuardMaker(withQuestions({ ...options, onFault: reportFault }), withFallback, reportFault);

  const begin = (run?: string, saved?: SavedHostRun): HostRun =>
    createHostRun({ guard: makeGuard(run), abilities, options, run, saved, reportFault });

  /** If a guard store keeps the guard that was passed in, its run resumes where the last process left it. */
  const beginShared = (): HostRun => {
    const keeper = keeperOf(options.guard);
    const saved = keeper?.saved("run") as SavedHostRun | undefined;
    const run = (saved && withFallback(undefined, () => begin(undefined, saved))) ?? begin();
    keeper?.keep("run", run.save);
    return run;
  };

  const shared = options.guard === undefined ? undefined : beginShared();
  const ignored = Object.keys(options).find(
    (name) => shared !== undefined && name !== "onFault" && name in GUARD_OPTIONS,
  );
  if (ignored !== undefined)
    reportFault(new DoomloopError("misuse", `${ignored}: this option is ignored, because guard has its own options`));
  // A guard that was passed in is one run, with one end and one store of words. Each key still gets its own object,
  // because adapters keep their knowledge of a conversation by it.
  const start = (run?: string): HostRun => (shared === undefined ? begin(run) : { ...shared });

  const ofText = (key: string): HostRun => {
    if (shared !== undefined && byText.size > 0 && !byText.has(key)) reportFault(new DoomloopError("misuse", SHARED));
    const run = byText.get(key) ?? start(key);
    setRecent(byText, key, run, MAX_RUNS);
    return run;
  };

  const ofObject = (key: object): HostRun => {
    const run = byObject.get(key) ?? start();
    byObject.set(key, run);
    return run;
  };

  return {
    start,
    of: (key) => (typeof key === "string" ? ofText(key) : ofObject(key)),
    end(key) {
      if (typeof key === "string") byText.delete(key);
      else byObject.delete(key);
    },
    beginConversation(run, text) {
      if (options.guard === undefined) return;
      const words = digestOf(text ?? "");
      const before = conversations.get(options.guard);
      if (before?.words === words) return;
      const count = (before?.count ?? 0) + 1;
      conversations.set(options.guard, { words, count });
      if (count > 1) run.user();
      if (count === CONVERSATIONS) reportFault(new DoomloopError("misuse", SHARED));
    },
    reportFault,
    withFallback,
  };
}

type RunGuard = HostRunSettings["guard"];

/** Options that only hosts have, besides those of a guard. */
const HOST_OPTIONS: Readonly<Record<Exclude<keyof HostOptions, keyof GuardOptions>, true>> = {
  guard: true,
  createGuard: true,
  onStop: true,
  onDowngrade: true,
  quote: true,
  deliver: true,
  state: true,
  compactions: true,
  secondOpinion: true,
};
const KNOWN: readonly string[] = [...Object.keys(GUARD_OPTIONS), ...Object.keys(HOST_OPTIONS)];
const SHOWN: readonly string[] = [...shownNames(GUARD_OPTIONS), ...Object.keys(HOST_OPTIONS)];

/** A guard whose questions are answered may ask some. */
function withQuestions(options: HostOptions): HostOptions & AskingOptions {
  const { secondOpinion } = options;
  return secondOpinion === undefined ? options : { questions: secondOpinion.questions, ...options };
}

/** Watches nothing. Used if a guard cannot be created. */
const ABSENT: RunGuard = { observe: () => ({ action: "continue" }) };

/** Returns a function that creates the guard of a run. Throws a `DoomloopError` for invalid options now, not in the middle of a run. */
function createGuardMaker(
  options: HostOptions,
  withFallback: WithFallback,
  reportFault: (fault: unknown) => void,
): (run: string | undefined) => RunGuard {
  const { guard, createGuard: create = createGuard, secondOpinion } = options;
  if (secondOpinion !== undefined && typeof secondOpinion?.attach !== "function")
    throw new DoomloopError(
      "invalid-option",
      "secondOpinion: what askModel, askEndpoint or secondOpinion of doomloop/opinion returns is required",
    );
  if (secondOpinion === undefined && (options as AskingOptions).questions !== undefined)
    throw new DoomloopError(
      "invalid-option",
      "questions: secondOpinion is required with it, because nobody answers here",
    );
  const asking = (given: RunGuard): RunGuard =>
    withFallback(given, () => secondOpinion?.attach(given, reportFault) ?? given);
  const own: GuardOptions = Object.fromEntries(Object.entries(options).filter(([name]) => !(name in HOST_OPTIONS)));
  checkNames("", Object.keys(options), KNOWN, SHOWN);
  if (guard !== undefined) {
    const given = requireGuard("guard", guard);
    return () => asking(given);
  }
  // A snapshot that cannot be read is a fault of the run that resumes from it, and is reported there.
  const { snapshot: _snapshot, ...checked } = own;
  createGuard(checked);
  const make = (run: string | undefined): RunGuard =>
    withFallback(ABSENT, () => asking(requireGuard("createGuard", create(own, run))));
  return (run) => lazily(() => make(run), secondOpinion !== undefined);
}

/** Creates the guard at its first event. An adapter that is wired but never used is not a run and must not be counted as one. */
function lazily(make: () => RunGuard, hasOpinion: boolean): RunGuard {
  let guard: RunGuard | undefined;
  let request: string | undefined;
  const begin = (): RunGuard => {
    const made = make();
    if (request !== undefined) made.hearRequest?.(request);
    return made;
  };
  const hearRequest = (text: string): void => {
    request = text;
    guard?.hearRequest?.(text);
  };
  return {
    observe(event) {
      guard ??= begin();
      return guard.observe(event);
    },
    peek: (event) => guard?.peek?.(event) ?? { action: "continue" },
    ...(hasOpinion && { hearRequest }),
  };
}

function requireGuard(where: string, guard: HostOptions["guard"]): RunGuard {
  if (typeof guard?.observe === "function") return guard;
  throw new DoomloopError("invalid-option", `${where}: a guard is required, got ${typeof guard}`);
}
