import { createHmac } from "node:crypto";
import type { FleetKeys } from "./fleet-keys.ts";
import type { Command } from "./redis-commands.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";

const MAX_TEXT = 256;

/** What all workers of a tenant must agree on, as one line. It tells whether keys are equal, and nothing else of them. */
export function settingsText({ key, calls, workers, windowMs, countAll }: ResolvedRedisOptions): string {
  return `key=${keyMark(key)} calls=${calls} workers=${workers} windowMs=${windowMs} countAll=${countAll}`;
}

/** Asks for the one text that a worker wrote into a key, and for no more of it than there should be. */
export function readSettingsText({ settings }: FleetKeys): Command {
  return ["GETRANGE", settings, "0", String(MAX_TEXT - 1)];
}

/** Which of our settings the other text, which somebody else wrote, has otherwise or does not have. */
export function differingSettings(own: string, other: string): string[] {
  const others = new Set(other.split(" "));
  const differing = own.split(" ").filter((setting) => !others.has(setting));
  return differing.map((setting) => setting.slice(0, setting.indexOf("=")));
}

/** Tells whether two workers have the same key, and says no more about it. */
export function keyMark(key: string | Uint8Array): string {
  return createHmac("sha256", key).update("doomloop key").digest("hex").slice(0, 8);
}
