import { createHmac } from "node:crypto";
import type { Thresholds } from "../store.ts";
import type { ResolvedStoreOptions } from "./store-fleet-options.ts";

const MARK = /^[0-9a-f]{8}$/;

/** The settings that the workers of a fleet share, as the first of them wrote them into the store. */
export interface FleetSettings extends Thresholds {
  /** The longest time that a call counts. */
  readonly windowMs: number;
  /** Shows whether a key is the workers' key, and reveals nothing else about it. */
  readonly keyMark: string;
}

/** The settings that all workers of a tenant must share, as one line. */
export function settingsText({ key, calls, workers, windowMs, countAll }: ResolvedStoreOptions): string {
  return `key=${keyMark(key)} calls=${calls} workers=${workers} windowMs=${windowMs} countAll=${countAll}`;
}

/** The names of our settings that are different or missing in another worker's text. */
export function differingSettings(own: string, other: string): string[] {
  const others = new Set(other.split(" "));
  const differing = own.split(" ").filter((setting) => !others.has(setting));
  return differing.map((setting) => setting.slice(0, setting.indexOf("=")));
}

/** A short mark by which two workers can see whether their keys are equal. It reveals nothing else about the key. */
export function keyMark(key: string | Uint8Array): string {
  return createHmac("sha256", key).update("doomloop key").digest("hex").slice(0, 8);
}

/** Reads the settings; undefined if the text is missing or is something else. */
export function readSettings(text: string | undefined): FleetSettings | undefined {
  const settings = new Map(text?.split(" ").map(nameAndValue));
  const [calls, workers, windowMs] = ["calls", "workers", "windowMs"].map((name) => wholeNumberIn(settings.get(name)));
  const keyMark = settings.get("key") ?? "";
  return calls && workers && windowMs && MARK.test(keyMark) ? { calls, workers, windowMs, keyMark } : undefined;
}

function wholeNumberIn(text = ""): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function nameAndValue(setting: string): [name: string, value: string] {
  const at = setting.indexOf("=");
  return [setting.slice(0, at), setting.slice(at + 1)];
}
