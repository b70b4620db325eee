import { isCancelled } from "../../host/host-errors.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { latestUserText } from "../../host/user-text.ts";
import { type RuntimeLike, runKey } from "./identify-run.ts";
import { stopMark } from "./loop-stop.ts";
import {
  answerTo,
  copyWith,
  isAnswer,
  isNewTurn,
  type MessageLike,
  observeProviderCalls,
  observeResult,
  observeSaid,
  openCalls,
  type ToolCallLike,
  withWords,
} from "./messages.ts";
import { messagesOf, type OutputReader, readOutput, sentCall, withoutCalls } from "./tool-node-messages.ts";

/** The fields of a `ToolNode` that are used here. */
export interface ToolNodeLike<Input, Output> {
  readonly tools: readonly unknown[];
  // biome-ignore lint/suspicious/noExplicitAny: the configuration is passed on unchanged.
  invoke(input: Input, config?: any): Promise<Output>;
}

/** A node for `addNode`, and the edge after it. */
export interface GuardedToolNode<Input, Output> {
  (input: Input, config?: RuntimeLike): Promise<Output>;
  /**
   * The condition for `addConditionalEdges`: `next`, or the end of the graph once the guard ends the run. Without it, a run
   * cannot be ended, and a stop is a block.
   */
  orEnd<Next extends string>(next: Next): (state: unknown, config?: RuntimeLike) => Next | "__end__";
}

type ResultClass = new (fields: object) => MessageLike;

/** What is known about a run besides its guard: the calls of its latest answer, and the words of those that were refused. */
interface Progress {
  answer?: string;
  readonly judged: Map<string, string | undefined>;
  readonly running: Set<string>;
}

interface Plan<Input> {
  readonly run: HostRun;
  readonly running: Set<string>;
  readonly input: Input;
  readonly refused: readonly { readonly call: ToolCallLike; readonly words: string }[];
  /** Whether all calls are refused. */
  readonly isRefused: boolean;
}

/** Guards a bare `ToolNode` of LangGraph. */
export function guardToolNode<Input, Output>(
  node: ToolNodeLike<Input, Output>,
  options: HostOptions,
): GuardedToolNode<Input, Output> {
  const abilities: { nudge: "result"; block: true; stop: "clean" | "none" } = {
    nudge: "result",
    block: true,
    stop: "none",
  };
  const runs = createHostRuns(options, abilities);
  const progress = new WeakMap<HostRun, Progress>();
  let resultClass: ResultClass | undefined;

  const { withFallback } = runs;

  const progressOf = (run: HostRun): Progress => {
    const known: Progress = progress.get(run) ?? { judged: new Map(), running: new Set() };
    progress.set(run, known);
    return known;
  };

  /**
   * Recognises a new answer. The calls of one answer may come one by one, or again if the node was interrupted for a human, and are
   * judged only once. Not every graph gives its messages ids, or passes on the same objects.
   */
  const beginAnswer = (run: HostRun, messages: readonly MessageLike[], at: number, calls: readonly ToolCallLike[]) => {
    const known = progressOf(run);
    const { id, tool_calls = [] } = messages[at]!;
    const answer = [at, id, ...tool_calls.map((call) => call.id)].join(" ");
    const isRepeated = calls.some(({ id = "" }) => known.judged.has(id));
    if (known.answer === answer && (!isRepeated || calls.some(({ id = "" }) => known.running.has(id)))) return known;
    known.answer = answer;
    known.judged.clear();
    known.running.clear();
    const before = messages.slice(0, at);
    if (isNewTurn(before) || (run.stopped() !== undefined && before.at(-1)?.type === "human")) run.user();
    run.asked(() => latestUserText(before));
    run.round();
    observeSaid(run, messages[at]!);
    observeProviderCalls(run, messages[at]!);
    return known;
  };

  const plan = (input: Input, config: RuntimeLike | undefined): Plan<Input> | undefined => {
    const key = runKey(config);
    const messages = messagesOf(input);
    const at = messages?.findLastIndex(isAnswer) ?? -1;
    if (key === undefined || messages === undefined || at < 0) return undefined;
    const run = runs.of(key);
    const calls = sentCall(input) ?? openCalls(messages);
    const { judged, running } = beginAnswer(run, messages, at, calls);
    const refused = calls.flatMap((call) => {
      const { id = "", name, args } = call;
      if (id !== "" && !judged.has(id)) {
        const { action, ...rest } = run.call({ id, tool: name, args });
        judged.set(id, "message" in rest ? rest.message : undefined);
        if (action === "run") running.add(id);
      }
      const words = judged.get(id);
      return words === undefined ? [] : [{ call, words }];
    });
    const left = refused.length === 0 ? input : withoutCalls(input, at, new Set(refused.map(({ call }) => call)));
    return { run, running, input: left, refused, isRefused: refused.length > 0 && refused.length === calls.length };
  };

  const readerOf = ({ run, running }: Plan<Input>, signal: unknown): OutputReader => {
    const isOurs = ({ type, tool_call_id: id = "" }: MessageLike): boolean => type === "tool" && running.delete(id);
    return {
      change(message) {
        if (!isOurs(message)) return message;
        resultClass ??= message.constructor as ResultClass;
        if (message.status === "error" && isCancelled(signal)) {
          run.abandon(message.tool_call_id ?? "");
          return message;
        }
        const words = observeResult(run, message);
        const read = words === undefined ? message : (withWords(run, message, words) ?? message);
        const stop = run.stopped();
        return stop === undefined ? read : copyWith(read, stopMark(stop, read));
      },
      note: (message) => void (isOurs(message) && holdResult(run, message, message.status === "error")),
    };
  };

  /** Instances of LangChain's own class, if one was seen, because not every graph converts plain objects to messages. */
  const answersTo = ({ run, refused }: Plan<Input>): unknown[] =>
    refused.map(({ call, words }) => {
      const stop = run.stopped();
      const plain = { ...answerTo(call, words), ...(stop && stopMark(stop)) };
      const { role: _role, ...fields } = plain;
      return withFallback<object>(plain, () => (resultClass === undefined ? plain : new resultClass(fields)));
    });

  const guarded = async (input: Input, config?: RuntimeLike): Promise<Output> => {
    const planned = withFallback(undefined, () => plan(input, config));
    if (planned === undefined) return node.invoke(input, config);
    const answers = answersTo(planned);
    const isList = Array.isArray(input);
    if (planned.isRefused) return (isList ? answers : { messages: answers }) as Output;
    let output: Output;
    try {
      output = await node.invoke(planned.input, config);
    } catch (error) {
      withFallback(undefined, () => observeFailure(planned, error, config?.signal));
      throw error;
    }
    return withFallback(output, () => readOutput(output, isList, readerOf(planned, config?.signal), answers));
  };

  const orEnd = <Next extends string>(next: Next) => {
    abilities.stop = "clean";
    return (_state: unknown, config?: RuntimeLike): Next | "__end__" =>
      withFallback<Next | "__end__">(next, () => {
        const key = runKey(config);
        return key !== undefined && runs.of(key).stopped() !== undefined ? "__end__" : next;
      });
  };

  return Object.assign(guarded, { orEnd });
}

type HeldResult = Pick<MessageLike, "tool_call_id" | "content">;

/** Observes a result whose message cannot be changed. Words about it go to the next result. */
function holdResult(run: HostRun, { tool_call_id: id = "", content: output }: HeldResult, error: boolean): void {
  const words = run.result({ id, output, error });
  if (words !== undefined) run.hold(words);
}

/** If a node fails as a whole, it does not say which call failed. A question to a human is not a failure, because the node runs again. */
function observeFailure({ run, running }: Plan<unknown>, error: unknown, signal: unknown): void {
  if ((error as { is_bubble_up?: unknown } | undefined)?.is_bubble_up === true) return;
  if (isCancelled(signal)) {
    running.forEach(run.abandon);
    running.clear();
  }
  const [id, ...others] = running;
  running.clear();
  if (id !== undefined && others.length === 0) holdResult(run, { tool_call_id: id, content: String(error) }, true);
}
