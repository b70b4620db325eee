import { isObject } from "../../core/identity/read-object.ts";
import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";
import { DoomloopError } from "../../index.ts";
import { createEarlyRefusals, type EarlyRefusals, guardToolApproval } from "./early-refusals.ts";
import { type CallRuns, guardTool } from "./guard-tool.ts";
import { identifyRuns, type RunIdentifier } from "./identify-run.ts";
import { createFinalReport, type FinalReport, noteStop } from "./loop-stop.ts";
import { observeStep } from "./observe-step.ts";
import type { GuardableSettings, StepLike } from "./settings.ts";

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
  { finalReport = false, ...options }: AiSdkOptions = {},
): NoInfer<Settings> {
  requireSettings(settings);
  const { tools, stopWhen, prepareStep, experimental_prepareStep: earlier, toolApproval } = settings;
  const stop = stopWhen === undefined ? "none" : "clean";
  const runs = createHostRuns(options, { nudge: "result", block: true, stop });
  const identifier = identifyRuns(runs);
  const report = finalReport && stopWhen !== undefined ? createFinalReport(prepareStep ?? earlier) : undefined;
  const early = createEarlyRefusals(runs, identifier);
  const isOver = stopCondition(runs, identifier, report);

  return {
    ...settings,
    ...(tools && { tools: guardTools(tools, callRuns(runs, identifier, early)) }),
    ...(stopWhen && { stopWhen: Array.isArray(stopWhen) ? [...stopWhen, isOver] : either(stopWhen, isOver) }),
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

function guardTools(tools: object, runs: CallRuns): object {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, isObject(tool) ? guardTool(name, tool, runs) : tool]),
  );
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

type Condition = (options: { steps: readonly StepLike[] }) => boolean | PromiseLike<boolean>;

function stopCondition(
  runs: HostRuns,
  identifier: RunIdentifier,
  report: FinalReport | undefined,
): (options: { steps: readonly StepLike[] }) => boolean {
  return ({ steps }) =>
    runs.withFallback(false, () => {
      const run = identifier.ofSteps(steps);
      observeStep(steps.at(-1), run, identifier, runs.reportFault);
      noteStop(steps.at(-1), run);
      const stop = run.stopped();
      return stop !== undefined && report?.begin(steps, stop) !== true;
    });
}

function either(theirs: Condition, ours: (options: { steps: readonly StepLike[] }) => boolean): Condition {
  return async (options) => {
    const isOver = ours(options);
    return (await theirs(options)) || isOver;
  };
}
