import type { Thresholds } from "../redis/dead-ends.ts";
import { numberIn } from "../redis/replies.ts";

/** What the workers of a fleet agreed on, as the first of them wrote it into the store. */
export interface FleetSettings extends Thresholds {
  /** How long a call counts at most. */
  readonly windowMs: number;
  /** Tells whether a key is theirs, and nothing else of it. */
  readonly keyMark: string;
}

const MARK = /^[0-9a-f]{8}$/;

/** Reads the settings. Undefined for a text that is missing, or that says something else. */
export function readSettings(text: string | undefined): FleetSettings | undefined {
  const settings = new Map(text?.split(" ").map(parted));
  const [calls, workers, windowMs] = ["calls", "workers", "windowMs"].map((name) => numberIn(settings.get(name)));
  const keyMark = settings.get("key") ?? "";
  return calls && workers && windowMs && MARK.test(keyMark) ? { calls, workers, windowMs, keyMark } : undefined;
}

function parted(setting: string): [name: string, value: string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}
