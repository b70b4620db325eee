import { createRepeatingRun, type GuardSigns, type RepeatingRun, type RepeatingRunOptions } from "./repeating-run.ts";

/** The repeated call, and what the guard must have done. */
export interface AssertGuardedOptions extends RepeatingRunOptions {
  /**
   * What the guard must have done: added words to a request, refused a call, or ended the run. Each includes those before it. A guard
   * refuses late, so for more than words, wire it with `levels: { told: 3, refused: 5, ended: 6 }` and use a tool whose answer has 200 characters or more.
   * @default "nudge"
   */
  readonly atLeast?: "nudge" | "block" | "stop";
}

/**
 * Rejects unless your agent is guarded, so a test that calls it fails if the guard is not wired.
 *
 * `drive` runs your agent, as you wire it, with a model that asks `run.next(request)` what to call. If `drive` rejects, this
 * rejects with the same error. Resolves with what the model saw of the guard.
 */
export async function assertGuarded(
  drive: (run: RepeatingRun) => unknown,
  options: AssertGuardedOptions = {},
): Promise<GuardSigns> {
  const { atLeast = "nudge", tool = "look_up" } = options;
  const run = createRepeatingRun(options);
  await drive(run);
  const signs = run.signs();
  const missing = missingSign(signs, atLeast);
  if (missing !== undefined) {
    throw new Error(
      `assertGuarded: ${missing}. The model was asked ${signs.requests} times and called ${tool} each time.`,
    );
  }
  return signs;
}

function missingSign(signs: GuardSigns, atLeast: "nudge" | "block" | "stop"): string | undefined {
  if (signs.requests === 0) return "the agent never asked the scripted model";
  if (signs.requests === 1) return "the agent did not send back the result of the first call";
  if (signs.nudgedAt === undefined) return "the guard is not wired: no request contained its words";
  if (atLeast !== "nudge" && signs.blockedAt === undefined) return "the guard sent words, but it blocked no call";
  if (atLeast === "stop" && !signs.isStopped)
    return "the guard blocks calls, but the run went on until the model gave up";
  return undefined;
}
