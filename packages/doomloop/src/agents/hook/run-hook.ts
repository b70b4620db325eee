import { factsFor } from "../../core/messages/wording.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import type { GuardStats } from "../../index.ts";
import { answerHook } from "./answer-hook.ts";
import type { Dialect } from "./dialect.ts";
import { type HookAnswer, NOTHING } from "./hook-answer.ts";
import type { HookInput } from "./hook-input.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { takeUpGuard } from "./resume-guard.ts";
import { isQuiet, type WayBackErrand, wayBackAfter } from "./rollback.ts";

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
  const { moment } = input;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const startsOver = settings.startsOver === true && isUnattended && input.agent === undefined;
  const wayBack = startsOver ? saved?.wayBack : undefined;
  const canStartOver = wayBack?.point !== undefined;
  const able = abilitiesOf(dialect, input, isUnattended);
  const { guard, gaps, isPardoned } = takeUpGuard(input, settings, saved, { ...able, restart: canStartOver });
  const before = guard.stats();
  let finding = saved?.finding;
  let isSeen = false;
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = guard.observe(event);
        // A loop is not spoken of each time that it shows.
        const shown = decision.finding ?? guard.shown();
        finding = shown ?? finding;
        isSeen ||= shown !== undefined;
        return decision;
      },
    },
    abilities: { ...able, restart: canStartOver },
    options: {},
    run: input.session,
    saved: saved && withoutRefused(saved.run, dialect),
    now: () => at,
    reportFault,
  });
  const question = (): string => `${finding === undefined ? "" : `${factsFor(finding)} `}${ASKED}`;
  const tellsRounds = dialect.tellsRounds && (saved?.tellsRounds === true || moment.type === "batch");
  const answer = answerHook(input, run, { dialect, tellsRounds, isAttended: !isUnattended, question });
  const isAsked = answer.type === "question" && moment.type === "call";
  const asked = isAsked ? finding && { call: moment.call.id, finding } : saved?.asked;
  const { checks, nudges } = guard.stats();
  const isUser = moment.type === "user";
  const isOver = checks > before.checks || isUser || isPardoned;
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
      ...(tellsRounds && { tellsRounds }),
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

/** Whether another hook of ours has told of the same call: the agent has both the plugin and what `init` writes, say. */
function isHeard({ moment }: HookInput, { tellsRounds }: Dialect, { run }: HookState): boolean {
  // Other agents' ids may come again in the next answer.
  return tellsRounds && moment.type === "call" && run.names.open.some(([, id]) => id === moment.call.id);
}

/**
 * An agent that does not tell rounds may name a call by what it does, and tells no result of one that was refused. That call would take the
 * result of the next one that is equal to it.
 */
function withoutRefused(run: SavedHostRun, { tellsRounds }: Dialect): SavedHostRun {
  if (tellsRounds) return run;
  const { names, refused } = run;
  return { ...run, names: { ...names, open: names.open.filter(([name]) => !refused.includes(name)) } };
}

/** At the desk there are words, and a question where the agent can ask one. Nothing is ended there. */
function abilitiesOf({ abilities }: Dialect, { canAsk }: HookInput, isUnattended: boolean): HostAbilities {
  return isUnattended ? abilities : { nudge: abilities.nudge, block: canAsk, stop: "none" };
}
