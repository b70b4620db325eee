import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import type { AgentDoctor, PluginTrialOptions } from "../doctor/agent-doctor.ts";
import { faultOf, LAP_MS, LAPS, type LoopTrial, runProcess, type Said } from "../doctor/try-loop.ts";
import { callInModule } from "./settings.ts";

/** The input of the program that plays a loop. */
export interface PluginOrder {
  /** The file that the agent loads. */
  readonly module: string;
  readonly directory: string;
  readonly session: string;
  readonly laps: number;
  /** How far each lap moves the clock. */
  readonly lapMs: number;
}

/** Its output. */
export interface PluginTrial {
  readonly nudge?: Said;
  readonly block?: Said;
  readonly times: readonly number[];
  readonly fault?: string;
}

export const opencodeDoctor: AgentDoctor = {
  commandsIn(text) {
    const command = callInModule(text);
    return command === undefined ? [] : [{ event: "plugin", command }];
  },
  tryPlugin,
};

/** Makes the same call again and again through the plugin, in a separate process. */
async function tryPlugin({ module, cwd, env }: PluginTrialOptions): Promise<LoopTrial> {
  const order: PluginOrder = { module, directory: cwd, session: randomUUID(), laps: LAPS, lapMs: LAP_MS };
  const outcome = await runProcess({
    file: process.execPath,
    words: [playerPath()],
    input: JSON.stringify(order),
    cwd,
    env,
  });
  const none = { nudge: undefined, block: undefined, question: undefined, times: [] };
  return { ...none, fault: faultOf(outcome), ...trialIn(outcome.stdout) };
}

function trialIn(stdout: string): Partial<PluginTrial> {
  try {
    return JSON.parse(stdout) as PluginTrial;
  } catch {
    return {};
  }
}

/** The file of that program: beside this one, or where the build puts it. */
function playerPath(): string {
  if (import.meta.url.endsWith(".ts")) return fileURLToPath(new URL("./play-plugin.ts", import.meta.url));
  return fileURLToPath(new URL("dist/agents/opencode/play-plugin.js", packageFolder));
}
