import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { addedByUser } from "./added-by-user.ts";
import { guardTool, optionsOf } from "./guard-tool.ts";
import type { MessageParamLike, RunnerLike, RunnerParams, ToolLike } from "./messages.ts";
import { hasResults, recallMessages } from "./recall-messages.ts";
import { watchTurns } from "./watch-turns.ts";

/** The runner as it was given, guarded. */
export type Guarded<Runner> = Runner & {
  /** The end of the run, once it was decided. */
  readonly stopped: LoopStop | undefined;
};

/** Runners that are guarded: the first wiring holds. */
const guardedRunners = new WeakSet<object>();

/**
 * Guards a tool runner before it is started: `guardRunner(client.beta.messages.toolRunner({ ... }))`.
 *
 * Gives the same runner back, to be awaited or iterated as before, with its tools guarded. A stop ends its loop before the next
 * request, with all calls of the last answer answered. Without options, those of `guardTools` hold, if its tools have some.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardRunner<Runner extends RunnerLike>(runner: Runner, given?: HostOptions): Guarded<Runner> {
  if (guardedRunners.has(runner)) return runner as Guarded<Runner>;
  const options = given ?? optionsOf((runner.params as Partial<RunnerParams>).tools ?? []) ?? {};
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const setParams = runner.setMessagesParams.bind(runner);
  const addTools = runner.addTools.bind(runner);
  const names = new Set<string>();
  /** The caller's own limit, while ours is in its place. */
  let own: Pick<RunnerParams, "max_iterations"> | undefined;

  /** The loop asks for its limit before each request, also if it was set in the middle. */
  const end = (...answered: readonly object[]): void =>
    setParams((params: RunnerParams) => {
      own ??= { max_iterations: params.max_iterations };
      return { ...params, messages: [...params.messages, ...answered], max_iterations: 1 };
    });

  /** The loop is over: whoever goes on from its parameters has the limit that they gave. */
  const giveBack = (): void => {
    const limit = own;
    own = undefined;
    if (limit !== undefined) setParams((params: RunnerParams) => ({ ...params, ...limit }));
  };

  const run = reporting(runs.start(), () => {
    try {
      if (!turns.isInBody()) end();
    } catch (fault) {
      runs.reportFault(fault);
    }
  });
  const isKnown = (name: string): boolean => names.has(name);
  const turns = watchTurns(runner, { run, end, giveBack, isKnown, reportFault: runs.reportFault });

  const guardAll = (tools: readonly ToolLike[]): ToolLike[] => {
    for (const { name, run } of tools) if (name !== undefined && typeof run === "function") names.add(name);
    return tools.map((tool) => guardTool(tool, run, options));
  };

  const guardParams = (params: RunnerParams): RunnerParams =>
    params.tools === undefined ? params : { ...params, tools: guardAll(params.tools) };

  /** A history that ends with results was led by somebody else up to here. A guard of the caller's own may know it. */
  const resume = (): void => {
    const messages = messagesOf(runner) as readonly MessageParamLike[];
    if (options.guard !== undefined || !messages.slice(-1).some(hasResults)) return;
    const words = recallMessages(messages, run);
    if (words !== undefined) run.hold(words);
  };

  try {
    setParams(guardParams);
    resume();
  } catch (fault) {
    runs.reportFault(fault);
  }
  define(runner, "addTools", (...tools: ToolLike[]) => addTools(...guardAll(tools)));
  define(runner, "setMessagesParams", (change: unknown) => {
    const before = runs.safely([], () => messagesOf(runner));
    setParams((params: RunnerParams) => guardParams(typeof change === "function" ? change(params) : change));
    turns.takeOver();
    if (!turns.isInBody()) return;
    const said = runs.safely(undefined, () => addedByUser(before, messagesOf(runner)));
    if (said !== undefined) run.user(said);
  });
  guardedRunners.add(runner);
  return Object.defineProperty(runner, "stopped", { get: run.stopped, configurable: true }) as Guarded<Runner>;
}

/** A run that tells when its end was decided, each time that something happens after it. */
function reporting(run: HostRun, onStopped: () => void): HostRun {
  const then = <Words extends unknown[], Value>(observe: (...words: Words) => Value) => {
    return (...words: Words): Value => {
      const value = observe(...words);
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
