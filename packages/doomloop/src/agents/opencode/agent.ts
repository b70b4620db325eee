import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import type { PluginTrialOptions } from "../doctor/agent-doctor.ts";
import { faultOf, LAP_MS, LAPS, type LoopTrial, runProcess, type Said } from "../doctor/try-loop.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import { opencodeHook } from "./hook.ts";
import { opencodeReader } from "./reader.ts";

const NOTE = "// Written by doomloop init; doomloop uninstall removes it.\n";

const BEGIN = `${NOTE}export const doomloop = async (input) => {
  try {
    return await `;

// If the package is gone, the agent carries on as if this file did not exist.
const END = `(input);
  } catch {
    return {};
  }
};
`;

export const opencode: CodingAgent = {
  name: "opencode",
  label: "opencode",
  hook: opencodeHook,
  /** opencode loads each module in its folder of plugins into its own process. */
  settings: {
    program: "opencode",
    folder,
    files: (place, { command }) => [
      {
        type: "own",
        path: join(folder(place), "plugins", "doomloop.js"),
        // It calls the package, so that an update of the package updates the plugin.
        text: `${BEGIN}${command("javascript")}${END}`,
        isProgram: false,
      },
    ],
    isOwnFile: (text) => callInModule(text) !== undefined,
    notes: () => ["sessions that are already open go on without it."],
  },
  reader: opencodeReader,
  doctor: {
    commandsIn(text) {
      const command = callInModule(text);
      return command === undefined ? [] : [{ event: "plugin", command }];
    },
    tryPlugin,
  },
  cannot: [
    "be sure to hear how opencode run ended: some sessions of a script are not compared with each other",
    CANNOT.knowAttendance,
  ],
};

/** On Windows, too, the folder is below the home folder. */
function folder({ env, home }: AgentPlace): string {
  return env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

/** The call in such a module. Undefined for somebody else's module. */
function callInModule(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const call = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(call) ? call : undefined;
}

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
