import type { LoopStop } from "../core/decision.ts";
import type { Finding } from "../core/detectors/index.ts";
import { requireInteger } from "../core/doomloop-error.ts";
import { type StartOverOptions, startOverMessage } from "./start-over-message.ts";
import type { Workspace } from "./workspace.ts";

/** An agent, and where it works. */
export interface Attempts extends Pick<StartOverOptions, "quote"> {
  /** Where the agent works. */
  readonly workspace: Pick<Workspace, "checkpoint" | "restore">;
  /**
   * Runs the agent once, with a conversation and a guard of its own. `message` is what it reads behind the task: undefined at first.
   * Returns how the guard ended the run, if it did. Nothing of the run may still be at work then.
   */
  readonly run: (message: string | undefined) => Promise<LoopStop | undefined>;
  /**
   * How often it is run at most.
   * @default 2
   */
  readonly attempts?: number;
}

const RESTARTS = "The run starts over.";

/**
 * Runs an agent, and once more from the start if its guard asks for a restart: with the files as they were, and with words on what led
 * nowhere. Returns how the last run was ended, if it was: the files are then as it left them. A restart that no attempt is left for is a
 * stop.
 *
 * Rejects with what `run` rejects with, or with the `DoomloopError` of a checkpoint or a restore that failed.
 */
export async function startOver(options: Attempts): Promise<LoopStop | undefined> {
  const { workspace, run, attempts = 2, quote } = options;
  requireInteger("startOver: attempts", attempts, 1);
  const { id } = await workspace.checkpoint("before the agent");
  const findings: Finding[] = [];
  for (let attempt = 1, message: string | undefined; ; attempt++) {
    const ended = await run(message);
    if (ended?.action !== "restart") return ended;
    if (attempt === attempts) return { ...ended, action: "stop", explanation: givenUp(ended.explanation, attempts) };
    findings.push(...ended.findings);
    await workspace.restore(id);
    message = startOverMessage(findings, quote === undefined ? {} : { quote });
  }
}

/** The words for people end with what comes next, which does not come. */
function givenUp(explanation: string, attempts: number): string {
  const words = explanation.endsWith(RESTARTS) ? explanation.slice(0, -RESTARTS.length).trimEnd() : explanation;
  return `${words} Given up after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}.`;
}
