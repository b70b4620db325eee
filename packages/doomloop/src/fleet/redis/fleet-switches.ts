import type { FleetMode } from "../../core/fleet-member.ts";

/** What can be set for a whole fleet while it runs; what is left out is as each worker was told at its start. */
export interface FleetSwitches {
  readonly mode?: FleetMode;
  readonly calls?: number;
  readonly workers?: number;
}

const MODES: readonly unknown[] = ["on", "shadow", "off"] satisfies FleetMode[];
const MAX_TEXT = 1024;

/** Reads the switch's value, which somebody else wrote; undefined for one that cannot be read. An empty one sets nothing. */
export function readSwitches(text: string): FleetSwitches | undefined {
  if (text === "") return {};
  if (text.length > MAX_TEXT) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { mode, calls, workers } = value as Record<string, unknown>;
    if (mode !== undefined && !MODES.includes(mode)) return undefined;
    if (!isThreshold(calls) || !isThreshold(workers)) return undefined;
    return { ...(mode === undefined ? {} : { mode: mode as FleetMode }), ...given({ calls, workers }) };
  } catch {
    return undefined;
  }
}

function isThreshold(value: unknown): value is number | undefined {
  return value === undefined || (Number.isInteger(value) && (value as number) >= 2);
}

function given(values: { calls: number | undefined; workers: number | undefined }): FleetSwitches {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
