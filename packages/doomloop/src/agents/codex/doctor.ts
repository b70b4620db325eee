import { join } from "node:path";
import { claudeLikeSamples } from "../claude-code/doctor.ts";
import type { AgentDoctor } from "../doctor/agent-doctor.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { textIn } from "../settings/settings-file.ts";
import { codexSettings } from "./settings.ts";

const HOW =
  "Start codex, type /hooks, and trust doomloop's; for codex exec, pass --dangerously-bypass-hook-trust (it then runs every hook on this machine).";

export const codexDoctor: AgentDoctor = {
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
};

function configLines(place: AgentPlace): readonly string[] {
  return textIn(join(codexSettings.folder(place), "config.toml")).split(/\r?\n/);
}

/** Whether our plugin is switched on in Codex. */
function isPluginOn(place: AgentPlace): boolean {
  const lines = configLines(place);
  const start = lines.findIndex((line) => line.startsWith('[plugins."doomloop@'));
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("["));
  const table = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  return start >= 0 && table.includes("enabled = true");
}
