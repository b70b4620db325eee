import type { Thresholds } from "../../fleet/redis/dead-ends.ts";
import type { FleetKeys } from "../../fleet/redis/fleet-keys.ts";
import type { Command } from "../../fleet/redis/redis-commands.ts";
import { numberIn } from "../../fleet/redis/replies.ts";

/** What the workers of a fleet agreed on, as the first of them wrote it into the store. */
export interface FleetSettings extends Thresholds {
  /** How long a call counts at most. */
  readonly windowMs: number;
  /** Tells whether a key is theirs, and nothing else of it. */
  readonly keyMark: string;
}

const MAX_TEXT = 512;
const MARK = /^[0-9a-f]{8}$/;

/** Asks for the settings, and for no more than they should be. */
export function readSettingsText({ settings }: FleetKeys): Command {
  return ["GETRANGE", settings, "0", String(MAX_TEXT - 1)];
}

/** Reads the settings. Undefined for a text that is missing, or that says something else. */
export function readSettings(text: string | undefined): FleetSettings | undefined {
  const settings = new Map(text?.slice(0, MAX_TEXT).split(" ").map(parted));
  const [calls, workers, windowMs] = ["calls", "workers", "windowMs"].map((name) => numberIn(settings.get(name)));
  const keyMark = settings.get("key") ?? "";
  return calls && workers && windowMs && MARK.test(keyMark) ? { calls, workers, windowMs, keyMark } : undefined;
}

function parted(setting: string): [name: string, value: string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}
