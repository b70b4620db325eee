import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import type { PresetName } from "../../core/policy/levels.ts";
import { packageFolder } from "../../system/package-folder.ts";

const PRESETS = ["balanced", "conservative", "aggressive", "shadow"] as const satisfies readonly PresetName[];

/** Adds the options that select transcripts. */
export function addChoice(command: Command): Command {
  return addSource(
    command
      .optionsGroup("What to scan:")
      .option("--last <duration>", "the last 7d, 12h, 2w, 3mo or 1y; default without paths: 30d")
      .option("--since <day>", "from this day: 2026-01-31")
      .option("--until <day>", "up to and including this day")
      .option("--agent <name>", "only this agent; may be repeated", collect)
      .option("--project <text>", "only projects with this text in their path")
      .option("--session <id>", "only the session with this id, or with a name that begins like this"),
  );
}

/** Adds the options for reading transcripts. */
export function addSource(command: Command): Command {
  return command
    .option("--sample", "scan made-up sessions that come with doomloop")
    .option("--format <name>", "the agent that wrote the files, instead of detecting it")
    .option("--reader <module>", "a module with your own reader; may be repeated", collect)
    .option("--no-cache", "read every file again, and cache nothing");
}

/** The given paths, and the sample if it is requested. */
export function sourcesOf(paths: readonly string[], { sample }: { readonly sample?: boolean }): readonly string[] {
  return sample === true ? [...paths, samplePath()] : paths;
}

/** Adds the options that decide how strict the guard is. */
export function addJudgement(command: Command): Command {
  return command
    .addOption(new Option("--preset <name>", `thresholds and ladder; default: ${PRESETS[0]}`).choices(PRESETS))
    .option("--config <file>", "guard options, .json or .ts; default: the nearest doomloop.config.json")
    .option("--no-config", "ignore doomloop.config.json");
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Made-up sessions in the package, for users without transcripts. */
export function samplePath(): string {
  return fileURLToPath(new URL("assets/sample", packageFolder));
}

/** Two days after the last made-up session. */
const SAMPLE_NOW = Date.parse("2026-11-15T16:00:00Z");

/** The time that ages and ranges count from. The sample has its own, so that it looks the same in any year. */
export function nowFor(paths: readonly string[]): number {
  return isSampleOnly(paths) ? SAMPLE_NOW : Date.now();
}

/** Whether nothing but made-up sessions is read. */
export function isSampleOnly(paths: readonly string[]): boolean {
  return paths.length === 1 && paths[0] === samplePath();
}
