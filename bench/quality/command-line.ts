import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { createGuard, type PresetName } from "../../packages/doomloop/src/index.ts";

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
  readonly verbose: boolean;
  /** Only steadiness, with its table. */
  readonly steadiness: boolean;
  /** A JSON list of real requests to tell the runs with. */
  readonly requests: string | undefined;
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
      verbose: { type: "boolean", short: "v", default: false },
      steadiness: { type: "boolean", default: false },
      requests: { type: "string" },
    },
  });
  const { labels, preset, detector, json, check, write, verbose, steadiness, requests } = values;
  if (!isPresetName(preset)) throw new Error(`--preset: there is none named ${preset}`);
  if ((check || write) && preset !== "balanced")
    throw new Error("--check and --write: the balanced preset is required");
  const missing = [labels, detector, requests].find((path) => path !== undefined && !existsSync(path));
  if (missing !== undefined) throw new Error(`no such file: ${missing}`);
  return { folder: positionals[0], labels, preset, detector, json, check, write, verbose, steadiness, requests };
}

function isPresetName(name: string): name is PresetName {
  try {
    createGuard({ preset: name as PresetName });
    return true;
  } catch {
    return false;
  }
}
