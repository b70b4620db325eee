import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import type { PresetName } from "../../core/policy/presets.ts";
import { packageFolder } from "../../system/package-folder.ts";

const PRESETS = ["balanced", "conservative", "aggressive", "shadow"] as const satisfies readonly PresetName[];

/** Options that say which transcripts are looked at. */
export function addChoice(command: Command): Command {
  return addSource(
    command
      .optionsGroup("What to scan:")
      .option("--last <duration>", "the last 7d, 12h, 2w, 3m or 1y; default without paths: 30d")
      .option("--since <day>", "from a day on: 2026-01-31")
      .option("--until <day>", "up to a day and with it")
      .option("--agent <name>", "only this agent; may be repeated", collect)
      .option("--project <text>", "only projects whose folder has this in its path")
      .option("--session <id>", "only the session with this id, or a name that begins so"),
  );
}

/** Options that say how transcripts are read. */
export function addSource(command: Command): Command {
  return command
    .option("--sample", "made-up sessions that come with doomloop, to see what it does")
    .option("--format <name>", "the agent that wrote the files, instead of finding out")
    .option("--reader <module>", "a module with a reader of your own; may be repeated", collect)
    .option("--no-cache", "read everything anew, and keep nothing");
}

/** The paths that were named, and the sample if it was asked for. */
export function sourcesOf(paths: readonly string[], { sample }: { readonly sample?: boolean }): readonly string[] {
  return sample === true ? [...paths, samplePath()] : paths;
}

/** Options that say how strictly is judged. */
export function addJudgement(command: Command): Command {
  return command
    .addOption(new Option("--preset <name>", `thresholds and ladder; default: ${PRESETS[0]}`).choices(PRESETS))
    .option("--config <file>", "a guard's options, .json or .ts; default: the nearest doomloop.config.json")
    .option("--no-config", "use no configuration that lies around");
}

/** Collects an option that may be repeated. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Made-up sessions that come with the package, for whoever has none of their own yet. */
export function samplePath(): string {
  return fileURLToPath(new URL("assets/sample", packageFolder));
}
