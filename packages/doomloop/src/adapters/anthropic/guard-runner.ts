import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { latestUserText } from "../../host/user-text.ts";
import { guardTool, optionsOf } from "./guard-tool.ts";
import { noteRun, runOf } from "./loop-stop.ts";
import type { BlockLike, MessageParamLike, RunnerLike, RunnerParams, ToolLike } from "./messages.ts";
import { hasResults, isKnownTo, recallMessages } from "./recall-messages.ts";
import { watchTurns } from "./watch-turns.ts";

/** Guards a tool runner before it is started. Guarding it again has no effect. Without options, it takes over those of its tools. */
export function guardRunner<Runner extends RunnerLike>(runner: Runner, given?: HostOptions): Runner {
  if (runOf(runner) !== undefined) return runner;
  const options = given ?? optionsOf((runner.params as Partial<RunnerParams>).tools ?? []) ?? {};
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const setParams = runner.setMessagesParams.bind(runner);
  const addTools = runner.addTools.bind(runner);
  const names = new Set<string>();
  /** The caller's own limit, while ours replaces it. */
  let own: Pick<RunnerParams, "max_iterations"> | undefined;

  /** The runner reads its limit before each request, so it can be set in the middle of a loop. */
  const end = (...answered: readonly object[]): void =>
    setParams((params: RunnerParams) => {
      own ??= { max_iterations: params.max_iterations };
      return { ...params, messages: [...params.messages, ...answered], max_iterations: 1 };
    });

  /** The loop is over. If the caller continues with its parameters, they must have the caller's own limit. */
  const restoreLimit = (): void => {
    const limit = own;
    own = undefined;
    if (limit !== undefined) setParams((params: RunnerParams) => ({ ...params, ...limit }));
  };

  const run = reportingStop(runs.start(), () => {
    try {
      if (!turns.isInBody()) end();
    } catch (fault) {
      runs.reportFault(fault);
    }
  });
  const isKnown = (name: string): boolean => names.has(name);
  const turns = watchTurns(runner, { run, end, restoreLimit, isKnown, reportFault: runs.reportFault });

  const guardAll = (tools: readonly ToolLike[]): ToolLike[] => {
    for (const { name, run } of tools) if (name !== undefined && typeof run === "function") names.add(name);
    return tools.map((tool) => guardTool(tool, run, options));
  };

  const guardParams = (params: RunnerParams): RunnerParams =>
    params.tools === undefined ? params : { ...params, tools: guardAll(params.tools) };

  /** A history that ends with results comes from elsewhere. */
  const resume = (): void => {
    const messages = messagesOf(runner) as readonly MessageParamLike[];
    if (!messages.slice(-1).some(hasResults) || isKnownTo(options.guard)) return;
    const words = recallMessages(messages, run);
    if (words !== undefined) run.hold(words);
  };

  const hearRequest = (): void => run.asked(() => latestUserText(messagesOf(runner)));

  try {
    setParams(guardParams);
    hearRequest();
    resume();
  } catch (fault) {
    runs.reportFault(fault);
  }
  define(runner, "addTools", (...tools: ToolLike[]) => addTools(...guardAll(tools)));
  define(runner, "setMessagesParams", (change: unknown) => {
    const before = runs.withFallback([], () => messagesOf(runner));
    setParams((params: RunnerParams) => guardParams(typeof change === "function" ? change(params) : change));
    turns.takeOver();
    hearRequest();
    if (!turns.isInBody()) return;
    const said = runs.withFallback(undefined, () => addedByUser(before, messagesOf(runner)));
    if (said !== undefined) run.user(said);
  });
  noteRun(runner, run);
  return runner;
}

/** A run that calls `onStopped` after each observation once its end is decided. */
function reportingStop(run: HostRun, onStopped: () => void): HostRun {
  const then = <Arguments extends unknown[], Value>(observe: (...given: Arguments) => Value) => {
    return (...given: Arguments): Value => {
      const value = observe(...given);
      if (run.stopped() !== undefined) onStopped();
      return value;
    };
  };
  return { ...run, call: then(run.call), result: then(run.result), past: then(run.past) };
}

function messagesOf({ params }: RunnerLike): readonly object[] {
  return (params as RunnerParams).messages;
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

interface HistoryMessage {
  readonly role: string;
  readonly content: string | readonly BlockLike[];
}

/**
 * What the user says in messages that were added to a history; undefined if only answers and results were added.
 *
 * Only messages after the last answer are new to the model. So a copy of the history does not count as new.
 */
function addedByUser(before: readonly object[], after: readonly object[]): string | undefined {
  const messages = after as readonly HistoryMessage[];
  const latest = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const added = latest.filter((message) => !before.includes(message) && isSpoken(message));
  return added.length === 0 ? undefined : added.map(textOf).join("\n");
}

function isSpoken({ role, content }: HistoryMessage): boolean {
  return role === "user" && (typeof content === "string" || content.some(({ type }) => type !== "tool_result"));
}

function textOf({ content }: HistoryMessage): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}
