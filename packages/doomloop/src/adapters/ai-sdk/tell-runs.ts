import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { isObject } from "../../host/is-object.ts";
import { isUserBehindResult, type Spoken } from "../../host/is-user-behind-result.ts";
import { createKnownHistories } from "../../host/known-histories.ts";
import { hearAnswer } from "./hear-answer.ts";
import type { ExecuteOptions, MessageLike, PartLike, StepLike } from "./settings.ts";

/** Tells to which run a call belongs. One set of tools may serve many runs at a time, and the host names none of them. */
export interface RunTeller {
  /** The run of a call that is about to run. A new list of messages is a new round. */
  ofCall(input: unknown, options: ExecuteOptions): HostRun;
  /**
   * The run of a call that a person is to be asked for. Nothing is noted. Undefined where the run is new, where the user has just spoken,
   * and for a call that a person has already agreed to.
   */
  ofAsked(input: unknown, options: ExecuteOptions): HostRun | undefined;
  /** This error of ours was thrown into this run. */
  noteError(error: object, run: HostRun): void;
  /** The run of these steps. */
  ofSteps(steps: readonly StepLike[]): HostRun;
  /** Whether a call was seen before it ran. */
  hasSeen(call: PartLike): boolean;
}

/** An answer of the model in its run, behind so many messages. */
interface Step {
  readonly run: HostRun;
  readonly length: number;
}

const MAX_MESSAGES = 200;

/**
 * Runs are told apart by the objects that the host hands on from step to step: the lists of messages and of steps, the calls'
 * arguments, the errors that we throw. Where none of them is there, because messages were copied, a run is known by its whole
 * history. Ids alone tell nothing: many servers count them anew for each conversation.
 *
 * A run goes on from its latest step only. Whoever goes on from an earlier one, or from one that two runs could have made, begins
 * anew: a loop that is missed costs less than a run that is ended for another's.
 */
export function tellRuns(runs: HostRuns): RunTeller {
  const latest = new WeakMap<HostRun, Step>();
  const byMessages = new WeakMap<object, Step>();
  const byInput = new WeakMap<object, Step>();
  const runOfList = new WeakMap<object, HostRun>();
  const runOfError = new WeakMap<object, HostRun>();
  const executed = new WeakSet<object>();
  const isLatest = (step: Step): boolean => latest.get(step.run) === step;
  const histories = createKnownHistories(isLatest);

  const stepOf = ({ input }: PartLike): Step | undefined => (isObject(input) ? byInput.get(input) : undefined);

  const begin = (run: HostRun, length: number): Step => {
    const step = { run, length };
    latest.set(run, step);
    return step;
  };

  const continued = (messages: readonly MessageLike[]): HostRun | undefined => {
    const known = firstOf(callsIn(messages), stepOf) ?? histories.find(messages);
    return known !== undefined && isLatest(known) ? known.run : undefined;
  };

  const knownStep = (messages: readonly MessageLike[]): Step | undefined => {
    const step = byMessages.get(messages);
    // The first list of a run may be the caller's own, who adds to it from turn to turn.
    return step?.length === messages.length ? step : undefined;
  };

  return {
    ofAsked(input, { messages }) {
      const step = knownStep(messages);
      if (step !== undefined) return step.run;
      const isUsersTurn = messages.at(-1)?.role === "user";
      return isUsersTurn || messages.some(holding(input)) ? undefined : continued(messages);
    },
    ofCall(input, { toolCallId, messages }) {
      let step = knownStep(messages);
      if (step === undefined) {
        const known = continued(messages);
        const run = known ?? runs.start();
        step = begin(run, messages.length);
        byMessages.set(messages, step);
        const isTurn = isNewTurn(messages) || (run.stopped() !== undefined && messages.at(-1)?.role === "user");
        if (isTurn) run.user();
        run.round();
        // The host shows what was said beside calls only now, in the messages behind which the next ones are made.
        if (known !== undefined && !isTurn) hearAnswer(answerBefore(messages, input), run);
        histories.note(messages, { toolCallId, input }, step);
      }
      if (isObject(input)) {
        byInput.set(input, step);
        executed.add(input);
      }
      return step.run;
    },
    noteError: (error, run) => void runOfError.set(error, run),
    ofSteps(steps) {
      const content = steps.at(-1)?.content ?? [];
      const calls = content.filter(isCall);
      const refused = firstOf(content, ({ error }) => (isObject(error) ? runOfError.get(error) : undefined));
      const run = firstOf(calls, stepOf)?.run ?? refused ?? runOfList.get(steps) ?? runs.start();
      runOfList.set(steps, run);
      const unknown = calls.filter((call) => isObject(call.input) && stepOf(call) === undefined);
      const step = unknown.length > 0 ? (firstOf(calls, stepOf) ?? begin(run, 0)) : undefined;
      for (const { input } of unknown) byInput.set(input as object, step!);
      return run;
    },
    hasSeen: ({ input, invalid, providerExecuted }) =>
      isObject(input) ? executed.has(input) : invalid !== true && providerExecuted !== true,
  };
}

/** The calls in the latest messages, the latest first. */
function callsIn(messages: readonly MessageLike[]): PartLike[] {
  return messages.slice(-MAX_MESSAGES).flatMap(callsOf).reverse();
}

/** Whether the user has spoken since the agent's last answer. Right behind a tool's result it may be a reminder. */
function isNewTurn(messages: readonly MessageLike[]): boolean {
  const last = messages.findLast(({ role }) => role !== "user");
  if (messages.at(-1)?.role !== "user") return false;
  return (last?.role === "assistant" && callsOf(last).length === 0) || isUserBehindResult(messages.map(spokenOf));
}

function spokenOf({ role, content }: MessageLike): Spoken {
  if (role === "user") return { by: role, content };
  return { by: role === "tool" ? "result" : "other", content: undefined };
}

/** The latest answer that made other calls. The one that holds this very call, because a human had to agree, is heard with the next. */
function answerBefore(messages: readonly MessageLike[], input: unknown): MessageLike | undefined {
  const isHolding = holding(input);
  return messages.findLast((message) => callsOf(message).length > 0 && !isHolding(message));
}

/** Whether a message holds this very call. */
function holding(input: unknown): (message: MessageLike) => boolean {
  return (message) => isObject(input) && callsOf(message).some((call) => call.input === input);
}

function callsOf({ role, content }: MessageLike): readonly PartLike[] {
  return role === "assistant" && Array.isArray(content) ? content.filter(isCall) : [];
}

export function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
