import { type CoreGuard, createCoreGuard } from "../core/guard.ts";
import { factsFor } from "../core/messages/index.ts";
import type { RestingGuard } from "../core/snapshot.ts";
import type { HostAbilities } from "../host/abilities.ts";
import { createHostRun, type SavedHostRun } from "../host/host-run.ts";
import type { Decision, Finding, Guard, GuardOptions, GuardStats, OwnDecision } from "../index.ts";
import { platform } from "../platform.ts";
import { answerHook } from "./answer-hook.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { type HookAnswer, NOTHING } from "./hook-answer.ts";
import type { HookInput } from "./hook-input.ts";
import { isFailing, isQuiet, RESTARTING_LADDER, type WayBack, type WayBackErrand, wayBackAfter } from "./way-back.ts";

/** What is kept of a run between two events: numbers, hashes and words of our own. */
export interface HookState {
  readonly version: 2;
  readonly guard: RestingGuard;
  readonly run: SavedHostRun;
  /** The latest time that was told, so that a clock that is set back does not run backwards. */
  readonly at: number;
  /** The loop that was spoken of last. */
  readonly finding?: Finding;
  /** Whether what happened last belongs to it. */
  readonly isLooping?: boolean;
  /** When somebody last said that it is none. */
  readonly allowedAt?: number;
  /** The call that a person was asked about: if it runs, the answer was yes, and the loop is none. */
  readonly asked?: { readonly call: string; readonly finding: Finding };
  /** Where the run can start over from. */
  readonly wayBack?: WayBack;
  /** How many events of any run had not been heard by then. */
  readonly unheard: number;
  /** How often there were some in between. */
  readonly gaps: number;
}

export interface HookSettings {
  /** Nobody watches: calls may be refused, and the run may be ended. */
  readonly isUnattended: boolean;
  /**
   * A run may start over, with its files as they were when the user spoke: not at the desk, and not a subagent, whose files are not its own.
   * @default false
   */
  readonly startsOver?: boolean;
  readonly guardOptions: GuardOptions;
  /**
   * When somebody said of the latest loop that it is none.
   * @default never
   */
  readonly allowedAt?: number | undefined;
  readonly now: number;
  /**
   * How many events of any run were not heard so far.
   * @default 0
   */
  readonly unheard?: number;
  readonly reportFault: (fault: unknown) => void;
}

/** Where the run is afterwards, and what is answered. */
export interface HookStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** Nudges of which it shows now whether they helped. */
  readonly nudges: GuardStats["nudges"];
  readonly errand: WayBackErrand | undefined;
}

const ASKED = "Let it run? If you do, you will not be asked about this again.";

/** One event of a run: a pure function of what was kept, of what happened and of the time. */
export function runHook(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  saved: HookState | undefined,
): HookStep {
  if (saved !== undefined && isHeard(input, dialect, saved)) {
    return { state: saved, answer: NOTHING, nudges: { obeyed: 0, ignored: 0 }, errand: undefined };
  }
  const { isUnattended, reportFault, unheard = 0, allowedAt = saved?.allowedAt } = settings;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const startsOver = settings.startsOver === true && isUnattended && input.agent === undefined;
  const wayBack = startsOver ? saved?.wayBack : undefined;
  const canStartOver = wayBack?.point !== undefined;
  const gaps = (saved?.gaps ?? 0) + (saved !== undefined && saved.unheard !== unheard ? 1 : 0);
  const isAllowed = allowedAt !== saved?.allowedAt;
  const guard = takeUp(settings, saved, canStartOver);
  const before = guard.stats();
  if (saved?.finding !== undefined && isAllowed) guard.allow(saved.finding);
  const { moment } = input;
  const hasAgreed = moment.type === "result" && moment.call.id === saved?.asked?.call;
  if (hasAgreed) guard.allow(saved!.asked!.finding);
  if (saved !== undefined && gaps > saved.gaps) noteGap(guard, gaps);
  let finding = saved?.finding;
  let isSeen = false;
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = guard.observe(event);
        finding = decision.finding ?? finding;
        isSeen ||= decision.finding !== undefined;
        return decision;
      },
    },
    abilities: { ...abilitiesOf(dialect, input, isUnattended), restart: canStartOver },
    options: {},
    run: input.session,
    saved: saved?.run,
    now: () => at,
    reportFault,
  });
  const question = (): string => `${finding === undefined ? "" : `${factsFor(finding)} `}${ASKED}`;
  const answer = answerHook(input, run, { dialect, isAttended: !isUnattended, question });
  let asked = hasAgreed ? undefined : saved?.asked;
  if (moment.type === "call" && answer.type === "question" && finding !== undefined)
    asked = { call: moment.call.id, finding };
  const { checks, nudges } = guard.stats();
  const isUser = moment.type === "user";
  const isOver = checks > before.checks || isUser || isAllowed || hasAgreed;
  const stop = isQuiet(moment, dialect) ? run.stopped() : undefined;
  const { errand, next } = wayBackAfter(wayBack, {
    prompt: startsOver && isUser ? at : undefined,
    stop,
    loop: answer.type === "words" || answer.type === "refusal" ? finding?.loop : undefined,
  });
  return {
    state: {
      version: 2,
      guard: guard.rest(),
      run: { ...run.save(), ...(errand?.type === "restore" && { stop: undefined }) },
      at,
      unheard,
      gaps,
      ...(finding && { finding }),
      ...((isSeen || (saved?.isLooping === true && !isOver)) && { isLooping: true }),
      ...(allowedAt !== undefined && { allowedAt }),
      ...(asked && { asked }),
      ...(next && { wayBack: next }),
    },
    answer,
    errand,
    nudges: { obeyed: nudges.obeyed - before.nudges.obeyed, ignored: nudges.ignored - before.nudges.ignored },
  };
}

/** The guard of the run, as it was left. */
function takeUp(settings: HookSettings, saved: HookState | undefined, canStartOver: boolean): CoreGuard {
  const { guardOptions, isUnattended, reportFault } = settings;
  const options = {
    ...guardOptions,
    ...(canStartOver && { ladder: RESTARTING_LADDER, onDecision: endedUnlessFailing }),
    attended: !isUnattended,
    onFault: reportFault,
    ...(saved && { snapshot: saved.guard }),
  };
  return createCoreGuard(options, platform);
}

function endedUnlessFailing({ action, finding }: Decision): OwnDecision | undefined {
  return action === "restart" && !isFailing(finding) ? { action: "stop" } : undefined;
}

/**
 * What was not heard may have changed anything: a measure of the world that differs from the one before. Both are told, because a guard that
 * has started over knows none.
 */
function noteGap(guard: Guard, gaps: number): void {
  for (const value of [gaps - 1, gaps]) guard.observe({ type: "state", key: "unheard", value });
}

/** Whether another hook of ours has told of the same call: the agent has both the plugin and what `init` writes, say. */
function isHeard({ moment }: HookInput, { tellsRounds }: Dialect, { run }: HookState): boolean {
  // Other agents' ids may come again in the next answer.
  return tellsRounds && moment.type === "call" && run.names.open.some(([, id]) => id === moment.call.id);
}

/** At the desk there are words, and a question where the agent can ask one. Nothing is ended there. */
function abilitiesOf({ abilities }: Dialect, { canAsk }: HookInput, isUnattended: boolean): HostAbilities {
  return isUnattended ? abilities : { nudge: abilities.nudge, block: canAsk, stop: "none" };
}
