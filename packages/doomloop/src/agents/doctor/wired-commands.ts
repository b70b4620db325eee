import { UsageError } from "../../system/usage-error.ts";
import type { WirableAgent } from "../coding-agent.ts";
import type { WiringSetting } from "../settings/agent-place.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { type HookChoice, type InstalledHook, installedHook } from "../settings/hook-command.ts";
import { planAgent } from "../settings/plan-agent.ts";
import type { Receipt } from "../settings/receipts.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";
import { ownCommands } from "../settings/shared-hooks.ts";
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

/** Replaces receipts that are lost while the hooks are still in the settings. Only commands that `init` would write count. */
export function lostReceipts(
  agents: readonly WirableAgent[],
  receipts: readonly Receipt[],
  { place, state }: WiringSetting,
): readonly Receipt[] {
  return agents.flatMap((agent) =>
    pathsOf(agent, place).flatMap((path) => {
      if (receipts.some((receipt) => receipt.path === path)) return [];
      const isWired = orElse([], () => wiredCommands(agent, path, place.platform)).length > 0;
      if (!isWired) return [];
      const commands = commandsFor(agent, place, state);
      return [{ version: 1 as const, host: agent.name, path, written: "", commands, made: [], folders: [] }];
    }),
  );
}

function pathsOf(agent: WirableAgent, place: AgentPlace): readonly string[] {
  return orElse([], () =>
    agent.settings.files(place, { command: () => "", seconds: 0 }).map(({ path }) => readSettings(path).path),
  );
}

function commandsFor(agent: WirableAgent, place: AgentPlace, state: string): readonly string[] {
  const hook = orElse<InstalledHook | undefined>(undefined, installedHook);
  if (hook === undefined) return [];
  const settings = { place, hook, state, receipts: new Map(), statusLine: false };
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
