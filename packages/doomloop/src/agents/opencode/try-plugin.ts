import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { type ProgramCall, runProcess } from "../doctor/run-process.ts";
import { faultOf, LAP_MS, LAPS, type LoopTrial, type Said } from "../doctor/try-loop.ts";

/** What the program that plays a loop is told. */
export interface PluginOrder {
  /** The file that the agent loads. */
  readonly module: string;
  readonly directory: string;
  readonly session: string;
  readonly laps: number;
  /** By how much each of them moves the clock on. */
  readonly lapMs: number;
}

/** What it answers. */
export interface PluginTrial {
  readonly nudge?: Said;
  readonly block?: Said;
  readonly times: readonly number[];
  readonly fault?: string;
}

export interface PluginTrialOptions extends Pick<ProgramCall, "cwd" | "env"> {
  readonly module: string;
}

/** Tells a plugin of the same call again and again, in a process of its own. */
export async function tryPlugin({ module, cwd, env }: PluginTrialOptions): Promise<LoopTrial> {
  const order: PluginOrder = { module, directory: cwd, session: randomUUID(), laps: LAPS, lapMs: LAP_MS };
  const outcome = await runProcess({
    file: process.execPath,
    words: [playerPath()],
    input: JSON.stringify(order),
    cwd,
    env,
  });
  const none = { nudge: undefined, block: undefined, question: undefined, times: [], bareTimes: [] };
  return { ...none, fault: faultOf(outcome), ...trialIn(outcome.stdout) };
}

function trialIn(stdout: string): Partial<PluginTrial> {
  try {
    return JSON.parse(stdout) as PluginTrial;
  } catch {
    return {};
  }
}

/** The player's file: the one beside this, or where the build puts it. */
function playerPath(): string {
  if (import.meta.url.endsWith(".ts")) return fileURLToPath(new URL("./play-plugin.ts", import.meta.url));
  return fileURLToPath(new URL("dist/agents/opencode/play-plugin.js", packageFolder));
}
