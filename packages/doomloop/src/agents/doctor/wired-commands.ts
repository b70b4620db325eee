import { UsageError } from "../../system/usage-error.ts";
import type { WirableAgent } from "../coding-agent.ts";
import type { WiringSetting } from "../settings/agent-place.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { type HookChoice, type InstalledHook, installedHook } from "../settings/hook-command.ts";
import { planAgent } from "../settings/plan-agent.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";
import { ownCommands } from "../settings/shared-hooks.ts";
import { type WiredFile, wiredFiles } from "../settings/wired-files.ts";
import type { WiredCommand } from "./agent-doctor.ts";

const CHOICES: readonly HookChoice[] = [undefined, "attended" as const, "unattended" as const].flatMap((mode) => [
  { mode, startsOver: false },
  { mode, startsOver: true },
]);

/** Our commands in one of an agent's files. Throws a `UsageError` if the file cannot be read. */
export function wiredCommands(
  { doctor }: WirableAgent,
  path: string,
  platform: NodeJS.Platform,
): readonly WiredCommand[] {
  const text = textOfSettings(readSettings(path)) ?? "";
  const commands =
    doctor?.commandsIn?.(text, path, platform) ??
    ownCommands(text, platform === "win32" ? "commandWindows" : "command");
  return commands.map((wired) => ({ ...wired, file: path }));
}

/** Files with hooks of ours: those that are noted, and those of these agents that are not, or not any more. Only commands that `init` would write count. */
export function filesWithHooks(agents: readonly WirableAgent[], { place, state }: WiringSetting): readonly WiredFile[] {
  const noted = wiredFiles(state);
  const others = agents.flatMap((agent) =>
    pathsOf(agent, place).flatMap((path) => {
      if (noted.some((file) => file.path === path)) return [];
      const isWired = orElse([], () => wiredCommands(agent, path, place.platform)).length > 0;
      if (!isWired) return [];
      return [{ host: agent.name, path, commands: commandsFor(agent, place, state) }];
    }),
  );
  return [...noted, ...others];
}

function pathsOf(agent: WirableAgent, place: AgentPlace): readonly string[] {
  return orElse([], () =>
    agent.settings.files(place, { command: () => "", seconds: 0 }).map(({ path }) => readSettings(path).path),
  );
}

function commandsFor(agent: WirableAgent, place: AgentPlace, state: string): readonly string[] {
  const hook = orElse<InstalledHook | undefined>(undefined, installedHook);
  if (hook === undefined) return [];
  const settings = { place, hook, state, statusLine: false };
  return CHOICES.flatMap((choice) => planAgent(agent, { ...settings, ...choice }).commands);
}

function orElse<Value>(other: Value, find: () => Value): Value {
  try {
    return find();
  } catch (error) {
    if (error instanceof UsageError) return other;
    throw error;
  }
}
