import { isObject } from "../../core/identity/read-object.ts";
import type { HostAbilities } from "../../host/abilities.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";
import { DoomloopError } from "../../index.ts";
import { createEarlyRefusals, type EarlyRefusals, guardToolApproval } from "./early-refusals.ts";
import { guardHarness, type HarnessLike } from "./guard-harness.ts";
import { type CallRuns, guardTools, isPromiseLike } from "./guard-tool.ts";
import { identifyRuns, type RunIdentifier } from "./identify-run.ts";
import { createFinalReport } from "./loop-stop.ts";
import { type OwnCondition, stopCondition } from "./observe-step.ts";
import type { GuardableSettings, Prepare, StopCondition } from "./settings.ts";

/** The options of every adapter, and those for the AI SDK only. */
export interface AiSdkOptions extends HostOptions {
  /**
   * Gives an ended run one last step without tools, in which the model reports what it tried, what it found out and what is left.
   * That is the last answer of the run. Needs `stopWhen`. If you use `prepareStep`, it must be in the same settings.
   * @default false
   */
  readonly finalReport?: boolean;
}

/**
 * Guards the tools of `generateText`, `streamText` or an agent: `...guard({ tools, stopWhen })`. Pass the result of a run to
 * {@link loopStop} to learn whether the guard ended it, and why.
 *
 * Each run gets its own guard, even if the same settings serve many runs. Without `stopWhen` a run cannot be ended, because adding a
 * condition would replace the SDK's own step limit. A stop is then a block.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
// The type of the settings is inferred only from the argument. Inferred from what the SDK accepts, a tool's name in `prepareStep` would be any string.
export function guard<Settings extends GuardableSettings>(
  settings: Settings,
  options?: AiSdkOptions,
): NoInfer<Settings>;
/** Guards a HarnessAgent: create its sessions with the agent that this returns. Each session is a run. */
export function guard<Agent extends HarnessLike>(agent: Agent, options?: HostOptions): Agent;
export function guard(
  settings: GuardableSettings | HarnessLike,
  { finalReport = false, ...options }: AiSdkOptions = {},
): object {
  requireSettings(settings);
  if ("createSession" in settings) return guardHarness(settings, options);
  const { tools, stopWhen, prepareCall, prepareStep, experimental_prepareStep: earlier, toolApproval } = settings;
  const abilities: Abilities = { nudge: "result", block: true, stop: stopWhen ? "clean" : "none" };
  const runs = createHostRuns(options, abilities);
  const identifier = identifyRuns(runs);
  const report = finalReport && stopWhen !== undefined ? createFinalReport(prepareStep ?? earlier) : undefined;
  const early = createEarlyRefusals(runs, identifier);
  const isOver = stopCondition(runs, identifier, report);

  return {
    ...settings,
    ...(tools && { tools: guardTools(tools, callRuns(runs, identifier, early)) }),
    ...(stopWhen
      ? { stopWhen: Array.isArray(stopWhen) ? [isOver, ...stopWhen] : either(stopWhen, isOver) }
      : { prepareCall: withCondition(isOver, abilities, prepareCall) }),
    ...(toolApproval !== undefined && { toolApproval: guardToolApproval(toolApproval, early) }),
    ...(report && { prepareStep: report.prepareStep }),
  };
}

/** Tools in place of the settings would run, and nothing would guard them. */
function requireSettings(settings: object): void {
  const what = "an object with `tools`, as in `...guard({ tools, stopWhen })`,";
  requireObject(settings, what);
  if ("tools" in settings || !Object.values(settings).some((value) => isObject(value) && "execute" in value)) return;
  throw new DoomloopError("invalid-option", `guard: ${what} is required, got the tools themselves`);
}

/** A tool that is called by hand, without the SDK's options, is not judged. */
function callRuns(runs: HostRuns, identifier: RunIdentifier, early: EarlyRefusals): CallRuns {
  return {
    early,
    ofCall: (input, options) =>
      runs.withFallback<HostRun | undefined>(undefined, () =>
        Array.isArray(options?.messages) ? identifier.ofCall(input, options) : undefined,
      ),
    noteError: identifier.noteError,
  };
}

/** Answers at once if their condition does, because WorkflowAgent does not wait: to it, a promise is a yes. */
function either(theirs: StopCondition, ours: OwnCondition): StopCondition {
  return (options) => {
    const isOver = ours(options);
    const answer = theirs(options);
    return isPromiseLike(answer) ? Promise.resolve(answer).then((isEnd) => isEnd || isOver) : answer || isOver;
  };
}

type Abilities = HostAbilities & { stop: HostAbilities["stop"] };

/**
 * Adds our condition to a WorkflowAgent without any, which would never end. What tells it from the agents of `ai` is that those show
 * their default limit here, which a condition of ours would replace.
 */
function withCondition(ours: OwnCondition, abilities: Abilities, theirs?: Prepare): Prepare {
  return async (options) => {
    const prepared = await theirs?.(options);
    if (!("stopWhen" in options) || options.stopWhen !== undefined) return prepared ?? options;
    abilities.stop = "clean";
    return { ...prepared, stopWhen: [ours, ...[prepared?.stopWhen ?? []].flat()] };
  };
}
