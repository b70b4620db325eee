import { requireInteger } from "../core/doomloop-error.ts";
import type { Finding } from "../core/finding.ts";
import type { LoopStop } from "../host/loop-stop.ts";
import { type StartOverOptions, startOverMessage } from "./start-over-message.ts";
import type { Workspace } from "./workspace.ts";

/** An agent that may start over, and its workspace. */
export interface Attempts extends Pick<StartOverOptions, "quote"> {
  /** The workspace of the agent. */
  readonly workspace: Pick<Workspace, "checkpoint" | "restore">;
  /**
   * Runs the agent once, with a new conversation and a new guard. `message` is text to append to the task; it is undefined in the
   * first run. Returns how the guard ended the run, if it did. The run must be over when this returns.
   */
  readonly run: (message: string | undefined) => Promise<LoopStop | undefined>;
  /**
   * The largest number of runs.
   * @default 2
   */
  readonly attempts?: number;
}

const RESTARTS = "The run starts over.";

/**
 * Runs an agent. If its guard asks for a restart, it restores the files and runs the agent again, with a message about what led nowhere.
 * Returns how the guard ended the last run, if it did. The files are then as that run left them. If no attempt is left, a restart becomes
 * a stop.
 *
 * Rejects if `run` rejects, or with a `DoomloopError` if a checkpoint or a restore fails.
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

/** The explanation announces a restart that will not happen: replaces that sentence. */
function givenUp(explanation: string, attempts: number): string {
  const words = explanation.endsWith(RESTARTS) ? explanation.slice(0, -RESTARTS.length).trimEnd() : explanation;
  return `${words} Gave up after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}.`;
}
