import { CONTINUE } from "../../core/decision.ts";
import { factsFor } from "../../core/messages/wording.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import type { GuardStats } from "../../index.ts";
import { answerMoment } from "./answer-moment.ts";
import { type Dialect, type HookAnswer, type HookInput, type HookMoment, NOTHING } from "./dialect.ts";
import { decidedState, type HookSettings, type HookState, saveHookState } from "./hook-state.ts";
import { resumeGuard } from "./resume-guard.ts";
import { betweenTurns, isEnough, isInDoubt, isOfHost, isSecondReport, turnsAfter, turnsBefore } from "./turns.ts";

/** More than the calls of one answer. */
const MAX_REPORTED = 128;

/** The new state of a run, and the answer. */
interface HookStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** Earlier nudges that turned out now to have helped or not. */
  readonly nudges: GuardStats["nudges"];
}

const ASKED = "Let it run? If you do, you will not be asked about this again.";

/** Answers one event of a run. The guard in the state is used again, so that each state can be gone on from once. */
export function runHook(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  found: HookState | undefined,
): HookStep {
  if (found !== undefined && isHeard(input, dialect, found, settings.now)) {
    return { state: found, answer: NOTHING, nudges: { obeyed: 0, ignored: 0 } };
  }
  const saved = decidedState(found, input.moment);
  const { isUnattended, reportFault, missedEvents = 0, allowedAt = saved?.allowedAt } = settings;
  const { moment } = input;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const canStartOver = settings.startsOver === true && isUnattended && saved?.hasStartedOver !== true;
  const able = abilitiesOf(dialect, input, isUnattended);
  const { guard, madeWith, isGap, hasBeenAllowed } = resumeGuard(input, settings, saved, {
    ...able,
    restart: canStartOver,
  });
  const turns = turnsBefore(saved?.turns, moment, isGap);
  const isByHost = isOfHost(moment, turns, at, isUnattended);
  const undecided = saved && !isByHost && isInDoubt(moment, turns) ? saveHookState({ ...saved, guard }) : undefined;
  const before = guard.stats();
  const watched = settings.opinion?.watch(guard) ?? guard;
  let finding = saved?.finding;
  let isSeen = false;
  let isWarned = saved?.isWarned === true;
  let isOver = turns !== undefined && (turns.isOver === true || (saved?.isLooping === true && isEnough(finding)));
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = watched.observe(event);
        // A loop is not reported at each of its calls.
        const shown = decision.finding ?? guard.shown();
        finding = shown ?? finding;
        isSeen ||= shown !== undefined;
        isOver ||= decision.action === "stop" || isEnough(shown);
        if (decision.action === "nudge") isWarned = false;
        if (moment.type !== "batch" || decision.action !== "block") return decision;
        // The agent has rejected the call itself, so there is nothing to refuse. The last words before an end are said once.
        const isOld = isWarned || able.stop === "none";
        isWarned = true;
        return isOld ? CONTINUE : decision;
      },
    },
    // When the calls of an answer are over, none can be refused, nor is it true that the next will be.
    abilities: { ...able, restart: canStartOver, block: able.block && moment.type !== "batch" },
    options: {},
    run: input.session,
    saved: saved && resumedRun(saved.run, dialect, isGap),
    now: () => at,
    reportFault,
  });
  if (turns === undefined && saved?.turns?.isHalted === true) run.user();
  const question = (): string => `${finding === undefined ? "" : `${factsFor(finding)} `}${ASKED}`;
  const tellsRounds = dialect.tellsRounds && (saved?.tellsRounds === true || moment.type === "batch");
  const reported = new Set(saved?.reported);
  const ended = moment.type === "batch" ? moment.results.at(-1)?.call.id : saved?.ended;
  const isEndedTwice = moment.type === "batch" && ended !== undefined && ended === saved?.ended;
  const answer = answerMoment(input, run, {
    dialect,
    tellsRounds: tellsRounds && !isEndedTwice,
    isAttended: !isUnattended,
    reported,
    isByHost,
    isRestarted: (turns?.ended ?? 0) > 0,
    isPrompted: turns?.isPrompted === true && dialect.prompt !== undefined,
    said: turns?.said,
    between: (able) => betweenTurns(run, able, isOver ? finding : undefined, dialect),
    question,
  });
  const isAsked = answer.type === "question" && moment.type === "call";
  const asked = isAsked ? finding && { call: moment.call.id, finding } : saved?.asked;
  const { checks, nudges } = guard.stats();
  const isUser = moment.type === "user" && !isByHost;
  const isPast = checks > before.checks || isUser || hasBeenAllowed;
  const isStartOver = "isStartOver" in answer && answer.isStartOver === true;
  const hasStartedOver = isStartOver || (saved?.hasStartedOver === true && !isUser);
  return {
    state: {
      guard,
      madeWith,
      run: { ...run.save(), ...(isStartOver && { stop: undefined }) },
      at,
      missedEvents,
      ...(tellsRounds && { tellsRounds }),
      ...(ended !== undefined && { ended }),
      ...(dialect.tellsRounds && { reported: withIds(reported, idsIn(moment)) }),
      ...(finding && { finding }),
      ...((saved?.hasSpoken === true || answer.type !== "nothing") && { hasSpoken: true }),
      ...((isSeen || (saved?.isLooping === true && !isPast)) && !isStartOver && { isLooping: true }),
      ...(isWarned && { isWarned }),
      turns: turnsAfter(moment, turns ?? { ended: 0 }, {
        at,
        isOfHost: isByHost,
        isOver: isOver && !hasBeenAllowed && !isStartOver,
        isHalted: (answer.type === "end" || answer.type === "alarm") && (moment.type === "turn" || isByHost),
      }),
      ...(allowedAt !== undefined && { allowedAt }),
      ...(asked && { asked }),
      ...(undecided && { undecided }),
      ...(hasStartedOver && { hasStartedOver }),
    },
    answer,
    nudges: { obeyed: nudges.obeyed - before.nudges.obeyed, ignored: nudges.ignored - before.nudges.ignored },
  };
}

/** Whether another hook of ours has reported the same, for instance if the agent has both the plugin and what `init` writes. */
function isHeard({ moment }: HookInput, { tellsRounds }: Dialect, found: HookState, now: number): boolean {
  const { run, turns, undecided } = found;
  if (isSecondReport(moment, turns, now, undecided !== undefined)) return true;
  // Other agents may use an id again in the next answer.
  return tellsRounds && moment.type === "call" && run.names.open.some(([, id]) => id === moment.call.id);
}

/**
 * What is left of a run. If events were missed, the user may have spoken, so a run that was ended may go on.
 *
 * An agent that does not report rounds may have no ids for calls, and reports no result of a refused call. Without this, a refused call
 * would take the result of the next equal call.
 */
function resumedRun(saved: SavedHostRun, { tellsRounds }: Dialect, isGap: boolean): SavedHostRun {
  const run = isGap ? { ...saved, stop: undefined } : saved;
  if (tellsRounds) return run;
  const { names, refused } = run;
  return { ...run, names: { ...names, open: names.open.filter(([name]) => !refused.includes(name)) } };
}

/** While a person watches, the hook uses words, and a question if the agent can ask one. It ends nothing. */
function abilitiesOf({ abilities }: Dialect, { canAsk }: HookInput, isUnattended: boolean): HostAbilities {
  return isUnattended ? abilities : { nudge: abilities.nudge, block: canAsk, stop: "none" };
}

/** What an event is the first or last to report. */
function idsIn(moment: HookMoment): readonly string[] {
  if (moment.type === "call") return [moment.call.id];
  return moment.type === "batch" ? moment.results.map(({ call }) => call.id) : [];
}

/** The latest ids come last, however often they are reported. */
function withIds(reported: ReadonlySet<string>, ids: readonly string[]): readonly string[] {
  const latest = new Set(ids);
  return [...[...reported].filter((id) => !latest.has(id)), ...latest].slice(-MAX_REPORTED);
}
