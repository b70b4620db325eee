import { isObject } from "../../core/identity/read-object.ts";
import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { isUserAfterResult, type Spoken } from "../../host/is-user-after-result.ts";
import { createKnownHistories } from "../../host/known-histories.ts";
import { latestUserText } from "../../host/user-text.ts";
import { DoomloopError } from "../../index.ts";
import type { ExecuteOptions, MessageLike, PartLike, StepLike } from "./settings.ts";

/** Finds the run that a call belongs to. One set of tools may serve many runs at a time, and the SDK does not say which one calls. */
export interface RunIdentifier {
  /** The run of a call that is about to run. A new list of messages means a new round. Throws if there are none, and later for its steps. */
  ofCall(input: unknown, options: ExecuteOptions): HostRun;
  /**
   * The run of a call that a person will be asked about. Records nothing. Undefined if the run is new, if the user has just spoken,
   * or if a person has already approved the call.
   */
  ofAsked(input: unknown, options: ExecuteOptions): HostRun | undefined;
  /** Remembers that we threw this error into this run. */
  noteError(error: object, run: HostRun): void;
  /** The run of these steps. */
  ofSteps(steps: readonly StepLike[]): HostRun;
  /** Whether a call was seen before it ran. */
  hasSeen(call: PartLike): boolean;
}

/** An answer of the model in its run, after `length` messages. */
interface Step {
  readonly run: HostRun;
  readonly length: number;
}

const MAX_MESSAGES = 200;
const MAX_STRANGERS = 1000;
const NOT_ENDED =
  "guard: the run was ended, but it continues; pass stopWhen to guard only, because another one after it replaces the guard's";

const NO_MESSAGES =
  "guard: a call came without messages, so nothing tells its run, and it is not guarded; pass a HarnessAgent to guard, not its tools";

/**
 * Identifies runs by the objects that the SDK passes from step to step: the lists of messages and of steps, the arguments of calls,
 * the errors that we throw. If messages were copied, so that none of these objects is there, a run is identified by its whole
 * history. Ids are not enough, because many servers start counting again for each conversation.
 *
 * A run continues from its latest step only. A continuation of an earlier step, or of one that two runs could have made, is a new
 * run: missing a loop costs less than ending a run because of another one.
 */
export function identifyRuns(runs: HostRuns): RunIdentifier {
  const latest = new WeakMap<HostRun, Step>();
  const byMessages = new WeakMap<object, Step>();
  const byInput = new WeakMap<object, Step>();
  const runOfList = new WeakMap<object, HostRun>();
  const runOfError = new WeakMap<object, HostRun>();
  const executed = new WeakSet<object>();
  const strangers = new Set<string>();
  const stepsAfterEnd = new WeakMap<HostRun, number>();
  const isLatest = (step: Step): boolean => latest.get(step.run) === step;
  const histories = createKnownHistories(isLatest);

  const stepOf = ({ input }: PartLike): Step | undefined => (isObject(input) ? byInput.get(input) : undefined);

  const begin = (run: HostRun, length: number): Step => {
    const step = { run, length };
    latest.set(run, step);
    return step;
  };

  /** One more step is normal if a person approved a call before the end. The next one is not: somebody replaced our condition. */
  const noteEnded = (run: HostRun, isTurn: boolean): void => {
    const steps = isTurn || run.stopped() === undefined ? 0 : (stepsAfterEnd.get(run) ?? 0) + 1;
    stepsAfterEnd.set(run, steps);
    if (steps > 1) runs.reportFault(new DoomloopError("misuse", NOT_ENDED));
  };

  const continued = (messages: readonly MessageLike[]): HostRun | undefined => {
    const latestFirst = messages.slice(-MAX_MESSAGES).flatMap(callsOf).reverse();
    const known = firstOf(latestFirst, stepOf) ?? histories.find(messages);
    return known !== undefined && isLatest(known) ? known.run : undefined;
  };

  const knownStep = (messages: readonly MessageLike[]): Step | undefined => {
    const step = byMessages.get(messages);
    // The first list of a run may be the caller's own list, which grows from turn to turn.
    return step?.length === messages.length ? step : undefined;
  };

  return {
    ofAsked(input, options) {
      const step = knownStep(options.messages);
      if (step !== undefined) return step.run;
      const messages = beforeAnswer(options);
      const isUsersTurn = messages.at(-1)?.role === "user";
      return isUsersTurn || messages.some(containing(input)) ? undefined : continued(messages);
    },
    ofCall(input, options) {
      if (options.messages.length === 0) {
        if (strangers.size > MAX_STRANGERS) strangers.clear();
        strangers.add(options.toolCallId);
        throw new DoomloopError("misuse", NO_MESSAGES);
      }
      let step = knownStep(options.messages);
      if (step === undefined) {
        const { toolCallId } = options;
        const messages = beforeAnswer(options);
        const known = continued(messages);
        const run = known ?? runs.start();
        step = begin(run, options.messages.length);
        byMessages.set(options.messages, step);
        const isTurn = isNewTurn(messages) || (run.stopped() !== undefined && messages.at(-1)?.role === "user");
        if (isTurn) run.user();
        if (messages.every(({ role }) => role === "system" || role === "user"))
          runs.beginConversation(run, latestUserText(messages));
        noteEnded(run, isTurn);
        run.asked(() => latestUserText(messages));
        run.round();
        // The SDK shows what was said beside calls only now, in the messages before the next calls.
        if (known !== undefined && !isTurn) observeAnswer(answerBefore(messages, input), run);
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
      const isStranger = ({ toolCallId }: PartLike): boolean => strangers.has(toolCallId!);
      if (steps.some((step) => step.content.some(isStranger))) throw new DoomloopError("misuse", NO_MESSAGES);
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

/** What was said before the answer that makes this call. WorkflowAgent passes that answer, too, and another run may begin with the same one. */
function beforeAnswer({ toolCallId, messages }: ExecuteOptions): readonly MessageLike[] {
  const last = messages.at(-1);
  const isAnswer = last !== undefined && callsOf(last).some((call) => call.toolCallId === toolCallId);
  return isAnswer ? messages.slice(0, -1) : messages;
}

/** Whether the user has spoken since the agent's last answer. A user message right after a tool's result may be a reminder. */
function isNewTurn(messages: readonly MessageLike[]): boolean {
  const last = messages.findLast(({ role }) => role !== "user");
  if (messages.at(-1)?.role !== "user") return false;
  return (last?.role === "assistant" && callsOf(last).length === 0) || isUserAfterResult(messages.map(spokenOf));
}

function spokenOf({ role, content }: MessageLike): Spoken {
  if (role === "user") return { by: role, content };
  return { by: role === "tool" ? "result" : "other", content: undefined };
}

/** The latest answer that made other calls. If a human had to approve this call, the answer that contains it is observed with the next call. */
function answerBefore(messages: readonly MessageLike[], input: unknown): MessageLike | undefined {
  const hasCall = containing(input);
  return messages.findLast((message) => callsOf(message).length > 0 && !hasCall(message));
}

/** Observes what the model said and thought beside the calls of an answer. */
function observeAnswer(answer: MessageLike | undefined, run: HostRun): void {
  for (const { type, text } of (answer?.content ?? []) as readonly PartLike[]) {
    if (typeof text !== "string") continue;
    if (type === "text") run.text(text, { partial: true });
    if (type === "reasoning") run.reasoning(text);
  }
}

/** Whether a message contains this very call. */
function containing(input: unknown): (message: MessageLike) => boolean {
  return (message) => isObject(input) && callsOf(message).some((call) => call.input === input);
}

function callsOf({ role, content }: MessageLike): readonly PartLike[] {
  return role === "assistant" && Array.isArray(content) ? content.filter(isCall) : [];
}

export function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

/** What `find` answers for the first item for which it answers anything. */
export function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
