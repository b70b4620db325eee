import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { createGuard, type PresetName } from "../../packages/doomloop/src/index.ts";
import { mechanismsOf } from "./without/mechanisms-of.ts";

/** What was asked for. */
export interface Asked {
  /** Recorded runs to use instead of the corpus. */
  readonly folder: string | undefined;
  readonly labels: string | undefined;
  readonly preset: PresetName;
  readonly detector: string | undefined;
  readonly json: string | undefined;
  readonly check: boolean;
  readonly write: boolean;
  readonly leaveOneOut: boolean;
  /** Mechanisms to do without, or `list` or `each`. */
  readonly without: readonly string[];
  readonly verbose: boolean;
}

/** Reads the command line. Throws an error whose message is meant for whoever wrote it. */
export function readCommandLine(words: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      labels: { type: "string" },
      preset: { type: "string", default: "balanced" },
      detector: { type: "string" },
      json: { type: "string" },
      check: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      "leave-one-out": { type: "boolean", default: false },
      without: { type: "string", multiple: true, default: [] },
      verbose: { type: "boolean", short: "v", default: false },
    },
  });
  const { labels, preset, detector, json, check, write, without, verbose } = values;
  if (!isPresetName(preset)) throw new Error(`--preset: there is none named ${preset}`);
  if ((check || write) && preset !== "balanced")
    throw new Error("--check and --write: the balanced preset is required");
  mechanismsOf(without);
  if (without.length > 0 && (check || write || values["leave-one-out"]))
    throw new Error("--without: goes with none of --check, --write, --leave-one-out");
  const missing = [labels, detector].find((path) => path !== undefined && !existsSync(path));
  if (missing !== undefined) throw new Error(`no such file: ${missing}`);
  const leaveOneOut = values["leave-one-out"];
  return { folder: positionals[0], labels, preset, detector, json, check, write, leaveOneOut, without, verbose };
}

function isPresetName(name: string): name is PresetName {
  try {
    createGuard({ preset: name as PresetName });
    return true;
  } catch {
    return false;
  }
}
