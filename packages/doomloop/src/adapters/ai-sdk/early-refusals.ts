import type { CallAnswer, HostRun, RefusedCall } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { isObject } from "../../host/is-object.ts";
import { noteStop } from "./loop-stop.ts";
import type { ExecuteOptions } from "./settings.ts";
import type { RunTeller } from "./tell-runs.ts";

/** A call that the guard has judged already. */
interface JudgedCall {
  readonly run: HostRun;
  readonly answer: CallAnswer;
}

/** Refuses calls before a person is asked whether they may run. Never throws. */
export interface EarlyRefusals {
  /** The refusal of this call, if it is refused: then nobody need be asked about it. */
  of(tool: string, input: unknown, options: ExecuteOptions): RefusedCall | undefined;
  /** What was decided about a call before it was asked for, if anything was. */
  judged(input: unknown): JudgedCall | undefined;
}

/**
 * Creates the early refusals of one wiring.
 *
 * A call that waits for a person ends the host's run, and the host asks no stop condition then. Without this, a run that the guard
 * has ended would go on: the person would agree to one call after the other, and each would be refused.
 */
export function createEarlyRefusals(runs: HostRuns, teller: RunTeller): EarlyRefusals {
  const judged = new WeakMap<object, JudgedCall>();
  return {
    of: (tool, input, options) =>
      runs.safely<RefusedCall | undefined>(undefined, () => {
        // The input tells `execute` that nobody was asked. Where it is no object, the person is asked.
        if (!isObject(input) || !Array.isArray(options?.messages)) return undefined;
        const call = { id: options.toolCallId, tool, args: input };
        if (teller.ofAsked(input, options)?.wouldRefuse(call) !== true) return undefined;
        const run = teller.ofCall(input, options);
        const answer = run.call(call);
        judged.set(input, { run, answer });
        noteStop(input, run);
        return answer.action === "run" ? undefined : answer;
      }),
    judged: (input) => (isObject(input) ? judged.get(input) : undefined),
  };
}
