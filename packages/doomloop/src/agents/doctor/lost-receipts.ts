import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace, AgentWiring } from "../settings/agent-settings.ts";
import { type InstalledHook, installedHook } from "../settings/installed-hook.ts";
import { planAgent } from "../settings/plan-agent.ts";
import type { Receipt } from "../settings/receipts.ts";
import { readSettings } from "../settings/settings-file.ts";
import { wiredCommands } from "./wired-commands.ts";

const MODES = [
  { isUnattended: false, startsOver: false },
  { isUnattended: true, startsOver: false },
  { isUnattended: true, startsOver: true },
];

/** Stands in for receipts that are gone while the hooks are still in the settings. Of the commands there, only those count that init would write. */
export function lostReceipts(
  agents: readonly AgentWiring[],
  receipts: readonly Receipt[],
  place: AgentPlace,
): readonly Receipt[] {
  return agents.flatMap((agent) =>
    pathsOf(agent, place).flatMap((path) => {
      if (receipts.some((receipt) => receipt.path === path)) return [];
      const { host } = agent;
      const isWired = orElse([], () => wiredCommands({ host, path }, place.platform)).length > 0;
      if (!isWired) return [];
      const commands = commandsFor(agent, place);
      return [{ version: 1 as const, host, path, written: "", commands, made: [], folders: [] }];
    }),
  );
}

function pathsOf(agent: AgentWiring, place: AgentPlace): readonly string[] {
  return orElse([], () =>
    agent.files(place, { command: () => "", seconds: 0 }).map(({ path }) => readSettings(path).path),
  );
}

function commandsFor(agent: AgentWiring, place: AgentPlace): readonly string[] {
  const hook = orElse<InstalledHook | undefined>(undefined, installedHook);
  if (hook === undefined) return [];
  const settings = { place, hook, receipts: new Map(), statusLine: false };
  return MODES.flatMap((mode) => planAgent(agent, { ...settings, ...mode }).commands);
}

function orElse<Value>(other: Value, find: () => Value): Value {
  try {
    return find();
  } catch (error) {
    if (error instanceof UsageError) return other;
    throw error;
  }
}
