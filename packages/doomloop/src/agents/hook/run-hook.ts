import { CONTINUE } from "../../core/decision.ts";
import { factsFor } from "../../core/messages/wording.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { HostRun, SavedHostRun } from "../../host/host-run.ts";
import type { GuardStats } from "../../index.ts";
import {
  type BatchResult,
  type Dialect,
  type HookAnswer,
  type HookCall,
  type HookInput,
  type HookMoment,
  NOTHING,
  type TurnAbilities,
} from "./dialect.ts";
import type { HookSettings, HookState } from "./hook-state.ts";
import { resumeGuard } from "./resume-guard.ts";
import { isQuiet, type RollbackFollowUp, rollbackAfter, wordsInstead } from "./rollback.ts";
import { rollbackFacts } from "./rollback-moment.ts";
import {
  betweenTurns,
  isEnough,
  isOfHost,
  isSecondReport,
  newWordsOf,
  type Turns,
  turnsAfter,
  turnsBefore,
} from "./turns.ts";

/** The answer to other calls of a run that starts over. */
const NOT_RUN = "[doomloop] This call was not run.";

/** More than the calls of one answer. */
const MAX_REPORTED = 128;

/** The new state of a run, and the answer. */
interface HookStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** Earlier nudges that turned out now to have helped or not. */
  readonly nudges: GuardStats["nudges"];
  readonly followUp: RollbackFollowUp | undefined;
}

const NO_ROLLBACK = { followUp: undefined, next: undefined };

const ASKED = "Let it run? If you do, you will not be asked about this again.";

/** Answers one event of a run. The guard in the state is used again, so that each state can be gone on from once. */
export function runHook(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  saved: HookState | undefined,
): HookStep {
  if (saved !== undefined && isHeard(input, dialect, saved, settings.now)) {
    return { state: saved, answer: NOTHING, nudges: { obeyed: 0, ignored: 0 }, followUp: undefined };
  }
  const { isUnattended, reportFault, missedEvents = 0, allowedAt = saved?.allowedAt } = settings;
  const { moment } = input;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const startsOver = settings.startsOver === true && isUnattended && input.agent === undefined;
  const rollback = startsOver ? saved?.rollback : undefined;
  const canStartOver = rollback?.point !== undefined;
  const able = abilitiesOf(dialect, input, isUnattended);
  const { guard, madeWith, isGap, hasBeenAllowed } = resumeGuard(input, settings, saved, {
    ...able,
    restart: canStartOver,
  });
  const turns = turnsBefore(saved?.turns, moment, isGap);
  const isByHost = isOfHost(moment, turns, at);
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
  const answer = answerHook(input, run, {
    dialect,
    tellsRounds: tellsRounds && !isEndedTwice,
    isAttended: !isUnattended,
    reported,
    isByHost,
    isRestarted: (turns?.ended ?? 0) > 0,
    said: turns?.said,
    between: (able) => betweenTurns(run, able, isOver ? finding : undefined, dialect),
    question,
  });
  const isAsked = answer.type === "question" && moment.type === "call";
  const asked = isAsked ? finding && { call: moment.call.id, finding } : saved?.asked;
  const { checks, nudges } = guard.stats();
  const isUser = moment.type === "user" || newsIn(moment, reported).some((news) => news.type === "user");
  const isPast = checks > before.checks || isUser || hasBeenAllowed;
  const stop = isQuiet(moment, dialect) ? run.stopped() : undefined;
  const left = run.save();
  const { followUp, next } = startsOver
    ? rollbackAfter(rollback, {
        at,
        prompt: isUser ? at : undefined,
        stop,
        loop: answer.type === "words" || answer.type === "refusal" ? finding?.loop : undefined,
        ...rollbackFacts(moment, answer, left),
      })
    : NO_ROLLBACK;
  return {
    state: {
      guard,
      madeWith,
      run: { ...left, ...(followUp?.type === "restore" && { stop: undefined }) },
      at,
      missedEvents,
      ...(tellsRounds && { tellsRounds }),
      ...(ended !== undefined && { ended }),
      ...(dialect.tellsRounds && { reported: withIds(reported, idsIn(moment)) }),
      ...(finding && { finding }),
      ...((saved?.hasSpoken === true || answer.type !== "nothing") && { hasSpoken: true }),
      ...((isSeen || (saved?.isLooping === true && !isPast)) && { isLooping: true }),
      ...(isWarned && { isWarned }),
      turns: turnsAfter(moment, turns ?? { ended: 0 }, {
        at,
        isOfHost: isByHost,
        isOver: isOver && !hasBeenAllowed,
        isHalted: (answer.type === "end" || answer.type === "alarm") && (moment.type === "turn" || isByHost),
      }),
      ...(allowedAt !== undefined && { allowedAt }),
      ...(asked && { asked }),
      ...(next && { rollback: next }),
    },
    answer,
    followUp,
    nudges: { obeyed: nudges.obeyed - before.nudges.obeyed, ignored: nudges.ignored - before.nudges.ignored },
  };
}

/** Whether another hook of ours has reported the same, for instance if the agent has both the plugin and what `init` writes. */
function isHeard({ moment }: HookInput, { tellsRounds }: Dialect, { run, turns }: HookState, now: number): boolean {
  if (isSecondReport(moment, turns, now)) return true;
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

interface AnswerOptions {
  readonly dialect: Dialect;
  /** Whether this agent says when the calls of an answer are over. Some versions do not. */
  readonly tellsRounds: boolean;
  /** A person watches, so nothing is refused without a question. */
  readonly isAttended: boolean;
  /** The ids of calls that were reported before. */
  readonly reported: ReadonlySet<string>;
  /** The prompt comes from the agent itself or from another hook. */
  readonly isByHost: boolean;
  /** A turn has ended since the user spoke. */
  readonly isRestarted: boolean;
  /** What was said in the turns since. */
  readonly said: Turns["said"];
  /** What is said between two turns. */
  between(able: TurnAbilities | undefined): HookAnswer;
  /** The question to that person. */
  question(): string;
}

/** Passes an event on to the run, and returns the run's answer. Never allows a call, because that would skip the agent's own question to the person. */
function answerHook(input: HookInput, run: HostRun, options: AnswerOptions): HookAnswer {
  const { moment } = input;
  const { dialect, tellsRounds } = options;
  // If the agent says when the calls of an answer are over, an answer is a round. Otherwise rounds are inferred.
  const beginRound = (): void => void (tellsRounds && run.round());
  const after = (words: string | undefined): HookAnswer => {
    const stop = run.stopped();
    if (stop?.action === "stop") return { type: "end", explanation: stop.explanation };
    const isInstead = stop !== undefined && isQuiet(moment, dialect);
    const said = isInstead ? wordsInstead(stop, dialect.abilities, false) : words;
    return said ? { type: "words", words: said } : NOTHING;
  };
  switch (moment.type) {
    case "call":
      return before(moment.call, run, options);
    case "result":
      return after(run.result({ id: moment.call.id, output: moment.output, error: moment.error }));
    case "batch": {
      for (const news of newsIn(moment, options.reported)) answerHook({ ...input, moment: news }, run, options);
      const isNew = ({ call }: BatchResult): boolean => moment.earlier === undefined || !options.reported.has(call.id);
      const results = moment.results.filter(isNew);
      const words = results.map((result) => afterBatch(result, run, options.reported)).filter(Boolean);
      beginRound();
      return after(words.join("\n\n"));
    }
    case "user":
      if (options.isByHost) return options.between(dialect.prompt);
      run.user(moment.text);
      // A person who writes the same again is a person. A script may not be.
      if (options.isAttended) run.user();
      beginRound();
      return NOTHING;
    case "task":
      run.user();
      beginRound();
      return NOTHING;
    case "turn":
      run.text(newWordsOf(moment, options.said));
      // Words make some agents take another turn. After a turn that the user asked for, nobody wants that.
      return options.isRestarted ? options.between(dialect.turnEnd) : NOTHING;
    case "compaction":
      run.compaction();
      return NOTHING;
  }
}

/**
 * Reports a result that came with all others of its answer. A result that is known already is ignored. Calls that a person or another hook
 * refused have no other result. Calls that the agent itself rejected, such as one with wrong arguments, have no other event at all.
 */
function afterBatch(
  { call, output, error }: BatchResult,
  run: HostRun,
  reported: ReadonlySet<string>,
): string | undefined {
  const { id } = reported.has(call.id) ? call : run.call({ ...call, hasRun: true });
  return run.result({ id, output, error });
}

/** What an event is the first or last to report. */
function idsIn(moment: HookMoment): readonly string[] {
  if (moment.type === "call") return [moment.call.id];
  if (moment.type !== "batch") return [];
  return [...moment.results.map(({ call }) => call.id), ...(moment.earlier ?? []).map(({ id }) => id)];
}

/** What happened before the calls of an answer, as far as no other event has reported it. */
function newsIn(moment: HookMoment, reported: ReadonlySet<string>): readonly HookMoment[] {
  if (moment.type !== "batch") return [];
  return (moment.earlier ?? []).filter(({ id }) => !reported.has(id)).map((earlier) => earlier.moment);
}

/** The latest ids come last, however often they are reported. */
function withIds(reported: ReadonlySet<string>, ids: readonly string[]): readonly string[] {
  const latest = new Set(ids);
  return [...[...reported].filter((id) => !latest.has(id)), ...latest].slice(-MAX_REPORTED);
}

function before({ id, tool, args }: HookCall, run: HostRun, options: AnswerOptions): HookAnswer {
  const { isAttended, dialect } = options;
  const answer = run.call({ id, tool, args });
  if (answer.action === "run") return NOTHING;
  const stop = run.stopped();
  const explanation = stop?.explanation ?? answer.explanation ?? answer.message;
  if (isAttended) return { type: "question", question: options.question() };
  if (stop?.action !== "restart")
    return { type: "refusal", words: answer.message, isEnd: answer.action === "stop", explanation };
  const words = stop.callId === id ? wordsInstead(stop, dialect.abilities, true) : NOT_RUN;
  return { type: "refusal", words, isEnd: false, explanation };
}
