import { join } from "node:path";
import { claudeLikeSamples } from "../claude-code/agent.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { type AgentPlace, hookEntries } from "../settings/agent-settings.ts";
import { textIn } from "../settings/settings-file.ts";
import { codexHook } from "./hook.ts";
import { pauseGoal } from "./pause-goal.ts";
import { codexReader } from "./reader.ts";

/** The events of Codex that matter to a guard. */
export const CODEX_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostCompact",
  "Stop",
  "SubagentStop",
];

const HOW =
  "Start codex, type /hooks, and trust doomloop's; for codex exec, pass --dangerously-bypass-hook-trust (it then runs every hook on this machine).";

export const codex: CodingAgent = {
  name: "codex",
  label: "Codex",
  hook: codexHook,
  /** Codex has `hooks.json`, in the layout of Claude Code. */
  settings: {
    program: "codex",
    folder,
    files: (place, { command, seconds }) => [
      {
        type: "shared",
        path: join(folder(place), "hooks.json"),
        hooks: hookEntries(CODEX_EVENTS, {
          type: "command",
          command: command("posix"),
          ...(place.platform === "win32" && { commandWindows: command("any-windows") }),
          timeout: seconds,
        }),
      },
    ],
    notes: () => [
      "Codex runs no hook until you trust it, and does not tell you. Start codex, type /hooks and trust doomloop's, now and whenever they change.",
    ],
  },
  reader: codexReader,
  doctor: {
    // Codex does not say when the calls of an answer are over.
    sampleEvents: (lap) => claudeLikeSamples(lap, { turn_id: "1", model: "sample" }).slice(0, 2),
    /** Codex keeps a hash of each hook that somebody trusted. Only Codex can tell whether the hook still matches it. */
    trustOf(path, place) {
      const isNamed = configLines(place).some((line) => line.includes("hooks.state") && line.includes(path));
      const words = isNamed
        ? `You have trusted hooks of this file. If they were changed since, they are off: ${HOW}`
        : `Codex runs none of these hooks until you trust them, and does not tell you. ${HOW}`;
      return { words, isFault: !isNamed };
    },
    ownPlugin: { isOn: isPluginOn, command: "codex plugin list" },
  },
  halt: pauseGoal,
  cannot: [CANNOT.end, CANNOT.hearRejected, CANNOT.knowAttendance],
};

function folder({ env, home }: AgentPlace): string {
  return env.CODEX_HOME || join(home, ".codex");
}

function configLines(place: AgentPlace): readonly string[] {
  return textIn(join(folder(place), "config.toml")).split(/\r?\n/);
}

/** Whether our plugin is switched on in Codex. */
function isPluginOn(place: AgentPlace): boolean {
  const lines = configLines(place);
  const start = lines.findIndex((line) => line.startsWith('[plugins."doomloop@'));
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("["));
  const table = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return start >= 0 && table.includes("enabled = true");
}
