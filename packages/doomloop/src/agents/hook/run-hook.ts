import { factsFor } from "../../core/messages/wording.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import { createHostRun } from "../../host/create-host-run.ts";
import type { HostRun, SavedHostRun } from "../../host/host-run.ts";
import type { GuardStats } from "../../index.ts";
import { type Dialect, type HookAnswer, type HookCall, type HookInput, NOTHING } from "./dialect.ts";
import { HOOK_STATE_VERSION, type HookSettings, type HookState } from "./hook-state.ts";
import { resumeGuard } from "./resume-guard.ts";
import { isQuiet, type RollbackFollowUp, rollbackAfter, wordsInstead } from "./rollback.ts";

/** The answer to other calls of a run that starts over. */
const NOT_RUN = "[doomloop] This call was not run.";

/** The new state of a run, and the answer. */
interface HookStep {
  readonly state: HookState;
  readonly answer: HookAnswer;
  /** Earlier nudges that turned out now to have helped or not. */
  readonly nudges: GuardStats["nudges"];
  readonly followUp: RollbackFollowUp | undefined;
}

const ASKED = "Let it run? If you do, you will not be asked about this again.";

/** Answers one event. A pure function of the saved state, the event and the time. */
export function runHook(
  input: HookInput,
  dialect: Dialect,
  settings: HookSettings,
  saved: HookState | undefined,
): HookStep {
  if (saved !== undefined && isHeard(input, dialect, saved)) {
    return { state: saved, answer: NOTHING, nudges: { obeyed: 0, ignored: 0 }, followUp: undefined };
  }
  const { isUnattended, reportFault, missedEvents = 0, allowedAt = saved?.allowedAt } = settings;
  const { moment } = input;
  const at = Math.max(settings.now, saved?.at ?? 0);
  const startsOver = settings.startsOver === true && isUnattended && input.agent === undefined;
  const rollback = startsOver ? saved?.rollback : undefined;
  const canStartOver = rollback?.point !== undefined;
  const able = abilitiesOf(dialect, input, isUnattended);
  const { guard, gaps, hasBeenAllowed } = resumeGuard(input, settings, saved, { ...able, restart: canStartOver });
  const before = guard.stats();
  let finding = saved?.finding;
  let isSeen = false;
  const run = createHostRun({
    guard: {
      observe(event) {
        const decision = guard.observe(event);
        // A loop is not reported at each of its calls.
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
  const isOver = checks > before.checks || isUser || hasBeenAllowed;
  const stop = isQuiet(moment, dialect) ? run.stopped() : undefined;
  const { followUp, next } = rollbackAfter(rollback, {
    prompt: startsOver && isUser ? at : undefined,
    stop,
    loop: answer.type === "words" || answer.type === "refusal" ? finding?.loop : undefined,
  });
  return {
    state: {
      version: HOOK_STATE_VERSION,
      guard: guard.rest(),
      run: { ...run.save(), ...(followUp?.type === "restore" && { stop: undefined }) },
      at,
      missedEvents,
      gaps,
      ...(tellsRounds && { tellsRounds }),
      ...(finding && { finding }),
      ...((isSeen || (saved?.isLooping === true && !isOver)) && { isLooping: true }),
      ...(allowedAt !== undefined && { allowedAt }),
      ...(asked && { asked }),
      ...(next && { rollback: next }),
    },
    answer,
    followUp,
    nudges: { obeyed: nudges.obeyed - before.nudges.obeyed, ignored: nudges.ignored - before.nudges.ignored },
  };
}

/** Whether another hook of ours has seen the same call, for instance if the agent has both the plugin and what `init` writes. */
function isHeard({ moment }: HookInput, { tellsRounds }: Dialect, { run }: HookState): boolean {
  // Other agents may use an id again in the next answer.
  return tellsRounds && moment.type === "call" && run.names.open.some(([, id]) => id === moment.call.id);
}

/**
 * An agent that does not report rounds may have no ids for calls, and reports no result of a refused call. Without this, a refused call
 * would take the result of the next equal call.
 */
function withoutRefused(run: SavedHostRun, { tellsRounds }: Dialect): SavedHostRun {
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
  /** The question to that person. */
  question(): string;
}

/** Passes an event on to the run, and returns the run's answer. Never allows a call, because that would skip the agent's own question to the person. */
function answerHook({ moment }: HookInput, run: HostRun, options: AnswerOptions): HookAnswer {
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
      // Calls that a person or another hook refused have no other result. A result that is known already is ignored.
      const words = moment.results.map(({ call, output }) => run.result({ id: call.id, output })).filter(Boolean);
      beginRound();
      return after(words.join("\n\n"));
    }
    case "user":
      run.user(moment.text);
      beginRound();
      return NOTHING;
    case "task":
      run.user();
      beginRound();
      return NOTHING;
    case "answer":
      run.text(moment.text);
      return NOTHING;
    case "compaction":
      run.compaction();
      return NOTHING;
  }
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
