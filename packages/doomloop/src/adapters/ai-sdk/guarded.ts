import type { HostOptions } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { isObject } from "../../host/is-object.ts";
import { createEarlyRefusals, type EarlyRefusals } from "./early-refusals.ts";
import { createFinalReport, type FinalReport } from "./final-report.ts";
import { guardToolApproval } from "./guard-approval.ts";
import { type CallRuns, guardTool } from "./guard-tool.ts";
import { noteStop } from "./loop-stop.ts";
import { observeStep } from "./observe-step.ts";
import type { GuardableSettings, StepLike } from "./settings.ts";
import { type RunTeller, tellRuns } from "./tell-runs.ts";

/** The options of every adapter, and what only this host can do. */
export interface GuardedOptions extends HostOptions {
  /**
   * Lets a run that is ended take one last step, without tools, in which the model reports what it tried, what it found out and
   * what is left. It is the run's last answer. Needs `stopWhen`, and `prepareStep` of the caller's in the same settings.
   * @default false
   */
  readonly finalReport?: boolean;
}

/**
 * Guards the tools of `generateText`, `streamText` or an agent: `...guarded({ tools, stopWhen })`. Whether the guard ended a run, and
 * why, is {@link loopStop} of its result.
 *
 * Each run gets a guard of its own, also where the settings are made once and serve many runs. Without `stopWhen` a run
 * cannot be ended, because adding a condition would replace the host's own step limit: a stop is then a block.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
// The settings' type comes from what is passed alone. From what the host takes, a tool's name in `prepareStep` would be any text.
export function guarded<Settings extends GuardableSettings>(
  settings: Settings,
  { finalReport = false, ...options }: GuardedOptions = {},
): NoInfer<Settings> {
  const { tools, stopWhen, prepareStep, experimental_prepareStep: earlier, toolApproval } = settings;
  const stop = stopWhen === undefined ? "none" : "clean";
  const runs = createHostRuns(options, { nudge: "result", block: true, stop });
  const teller = tellRuns(runs);
  const report = finalReport && stopWhen !== undefined ? createFinalReport(prepareStep ?? earlier) : undefined;
  const early = createEarlyRefusals(runs, teller);
  const isOver = stopCondition(runs, teller, report);

  return {
    ...settings,
    ...(tools && { tools: guardTools(tools, callRuns(runs, teller, early)) }),
    ...(stopWhen && { stopWhen: Array.isArray(stopWhen) ? [...stopWhen, isOver] : either(stopWhen, isOver) }),
    ...(toolApproval !== undefined && { toolApproval: guardToolApproval(toolApproval, early) }),
    ...(report && { prepareStep: report.prepareStep }),
  };
}

function guardTools(tools: object, runs: CallRuns): object {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, isObject(tool) ? guardTool(name, tool, runs) : tool]),
  );
}

/** A tool that somebody calls by hand, without what the host passes, is not ours to judge. */
function callRuns(runs: HostRuns, teller: RunTeller, early: EarlyRefusals): CallRuns {
  return {
    early,
    ofCall: (input, options) =>
      runs.safely<HostRun | undefined>(undefined, () =>
        Array.isArray(options?.messages) ? teller.ofCall(input, options) : undefined,
      ),
    noteError: teller.noteError,
  };
}

type Condition = (options: { steps: readonly StepLike[] }) => boolean | PromiseLike<boolean>;

function stopCondition(
  runs: HostRuns,
  teller: RunTeller,
  report: FinalReport | undefined,
): (options: { steps: readonly StepLike[] }) => boolean {
  return ({ steps }) =>
    runs.safely(false, () => {
      const run = teller.ofSteps(steps);
      observeStep(steps.at(-1), run, teller, runs.reportFault);
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
