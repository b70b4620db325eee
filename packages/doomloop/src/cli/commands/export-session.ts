import { randomBytes, randomInt } from "node:crypto";
import { resolve } from "node:path";
import { configFor } from "../../scan/config/config-for.ts";
import { collectRun } from "../../scan/export/collect-run.ts";
import { publicModel } from "../../scan/export/public-model.ts";
import { type ReproducedRun, reproduceRun } from "../../scan/export/reproduce-run.ts";
import { chooseOptions } from "../../scan/replay/choose-options.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import { packageVersion } from "../../system/package-version.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { exportWords, refusalWords } from "../reporters/export-words.ts";
import { INTERRUPTED } from "../terminal/until-interrupted.ts";
import { writeNew } from "../write-new.ts";
import type { CommandStreams } from "./command-streams.ts";
import { type FindSessionOptions, findSession } from "./find-session.ts";
import { spoolInput } from "./spool-input.ts";

/** Options of a scan that ask for something else than a trace. */
const OTHER_OUTPUTS = ["json", "jsonl", "runs", "html", "open", "junit", "github", "failOn", "includeContent"] as const;

export interface ExportOptions
  extends Omit<FindSessionOptions, "includeContent">,
    Partial<Record<(typeof OTHER_OUTPUTS)[number], unknown>> {
  /** A file, or `-` for standard output. */
  readonly output?: string;
  readonly force?: boolean;
}

const FINE = 0;
const OUR_FAULT = 1;

/** Writes one session as a redacted trace that the guard judges as it judged the session. Returns the exit code. */
export async function exportSession(
  session: string,
  given: readonly string[],
  options: ExportOptions,
  streams: CommandStreams,
): Promise<number> {
  const other = OTHER_OUTPUTS.find((name) => options[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--export writes a trace, and cannot be used with ${optionOf(other)}`);
  if (options.output === "") throw new UsageError("--output: a file, or - for standard output, is required");
  const spooled = await spoolInput(given, streams.input);
  if (spooled === undefined) return INTERRUPTED;
  try {
    return await exportFrom(session, spooled.paths, options, streams);
  } finally {
    spooled.remove();
  }
}

async function exportFrom(
  session: string,
  paths: readonly string[],
  options: ExportOptions,
  streams: CommandStreams,
): Promise<number> {
  const found = await findSession(session, paths, { ...options, includeContent: false }, streams);
  if (found === undefined) return INTERRUPTED;
  const { record, file, before } = found.run;
  const reader = found.result.readers.find(({ agent }) => agent === record.agent)!;
  const { events, model } = await collectRun(file.path, reader, record.run, before);
  const torn = found.result.builder.skipped().broken.find(({ path }) => path === file.path);
  if (torn !== undefined)
    streams.messages.write(`doomloop: cannot read ${printable(torn.path)} to its end: ${printable(torn.fault)}\n`);
  const guardOptions = await chooseOptions(options.preset, configFor(options.config));
  const reproduced = reproduceRun(events, guardOptions, randomInt);
  if (!reproduced.isSame && options.force !== true) {
    for (const line of refusalWords()) streams.messages.write(`${line}\n`);
    return OUR_FAULT;
  }
  const line = `${JSON.stringify(traceOf(reproduced, publicModel(model)))}\n`;
  // Not by the session's id: that is a hash of its name, on which guesses can be tried.
  const { output = `doomloop-export-${randomBytes(4).toString("hex")}.jsonl` } = options;
  if (output === "-") await streams.output.write(line);
  else writeNew(resolve(output), line, { isForced: options.force === true, read: readFor(found.result, options) });
  const place = output === "-" ? "the trace" : printable(output);
  for (const said of exportWords(reproduced, place)) streams.messages.write(`${said}\n`);
  return FINE;
}

/** All that must not be written over. */
function readFor({ paths }: RunScanResult, { config, reader = [] }: ExportOptions): readonly string[] {
  return [...paths, ...reader, ...(typeof config === "string" ? [config] : [])];
}

function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A run of the trace format, with what it takes to see the same in it: the options, and what was decided. */
function traceOf({ events, options, decisions, isSame }: ReproducedRun, model: string | undefined): object {
  return {
    run: `redacted-${randomBytes(4).toString("hex")}`,
    ...(model !== undefined && { model }),
    redactedBy: `doomloop ${packageVersion()}`,
    options,
    decisions,
    ...(!isSame && { reproduces: false }),
    events,
  };
}
