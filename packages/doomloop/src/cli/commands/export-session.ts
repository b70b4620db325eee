import { randomBytes, randomInt } from "node:crypto";
import { closeSync, constants, lstatSync, openSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { chooseOptions, configFor } from "../../scan/config.ts";
import { createPublicModels } from "../../scan/costs/price-list.ts";
import { collectRun } from "../../scan/export/collect-run.ts";
import { type ExpectedDecision, type ReproducedRun, reproduceRun } from "../../scan/export/reproduce-run.ts";
import { count } from "../../scan/report/words.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import { packageVersion } from "../../system/package-folder.ts";
import { printable } from "../../system/printable.ts";
import { orUsageError, UsageError } from "../../system/usage-error.ts";
import { INTERRUPTED } from "../terminal/interruption.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { type FindSessionOptions, findSession } from "./find-session.ts";
import { spoolInput } from "./spool-input.ts";

/** Scan options that ask for another output. */
const OTHER_OUTPUTS = ["json", "html", "open", "github", "failOn", "includeContent"] as const;

export interface ExportOptions
  extends Omit<FindSessionOptions, "includeContent">,
    Partial<Record<(typeof OTHER_OUTPUTS)[number], unknown>> {
  /** A file, or `-` for standard output. */
  readonly output?: string;
  readonly force?: boolean;
}

const FINE = 0;
const OUR_FAULT = 1;

/** Writes one session as a redacted trace on which the guard makes the same decisions. Returns the exit code. */
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
  const line = `${JSON.stringify(traceOf(reproduced, model && createPublicModels()(model)))}\n`;
  // The session's id is not used: it is a hash of its name, so guesses could be verified.
  const { output = `doomloop-export-${randomBytes(4).toString("hex")}.jsonl` } = options;
  if (output === "-") await streams.output.write(line);
  else writeNew(resolve(output), line, { isForced: options.force === true, read: readFor(found.result, options) });
  const place = output === "-" ? "the trace" : printable(output);
  for (const said of exportWords(reproduced, place)) streams.messages.write(`${said}\n`);
  return FINE;
}

/** Files that must not be overwritten. */
function readFor({ paths }: RunScanResult, { config, reader = [] }: ExportOptions): readonly string[] {
  return [...paths, ...reader, ...(typeof config === "string" ? [config] : [])];
}

function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A run in the trace format, with the options and decisions that are needed to reproduce it. */
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

const ISSUES = "https://github.com/doomloop/doomloop/issues/new/choose";

/** The message after a redacted trace was written. */
function exportWords({ calls, decisions, isSame }: ReproducedRun, place: string): readonly string[] {
  return [
    `Wrote ${place}: ${count(calls, "call")}, ${decisionWords(decisions)}${isSame ? ", as in the session itself" : ""}.`,
    ...(isSame ? [] : ["The guard judges this trace differently from the session. The file says so as well."]),
    "Names, paths, arguments, outputs and numbers of more than three digits, and what people said, are replaced. Words that doomloop's rules need and the lengths of texts stay.",
    `Look at the file before you send it. Then attach it here: ${ISSUES}`,
  ];
}

/** The message if nothing was written. */
function refusalWords(): readonly string[] {
  return [
    "doomloop: once redacted, this session is judged differently by the guard. Nothing was written.",
    `--force writes the trace anyway. It is fully redacted, and still useful: ${ISSUES}`,
  ];
}

const MAX_NAMED = 4;

function decisionWords(decisions: readonly ExpectedDecision[]): string {
  if (decisions.length === 0) return "and the guard says nothing";
  const named = decisions
    .slice(0, MAX_NAMED)
    .map(({ call, action, kind }) => `${action} at call ${call + 1} (${kind})`);
  const more = decisions.length > MAX_NAMED ? ` and ${decisions.length - MAX_NAMED} more` : "";
  return `and the guard says ${named.join(", ")}${more}`;
}

interface WriteNewOptions {
  /** Overwrite an existing file. */
  readonly isForced: boolean;
  /** Files that were read. They are never overwritten. */
  readonly read: readonly string[];
}

/**
 * Writes a new file that the user named. Throws a `UsageError` if it exists or cannot be written. Does not follow
 * symbolic links.
 */
function writeNew(path: string, text: string, { isForced, read }: WriteNewOptions): void {
  const there = orUsageError(`cannot write ${path}`, () => lstatSync(path, { throwIfNoEntry: false }));
  if (there?.isSymbolicLink()) throw new UsageError(`cannot write ${path}: it is a symbolic link`);
  if (there !== undefined && !there.isFile()) throw new UsageError(`cannot write ${path}: it is not a file`);
  if (there !== undefined && read.some((other) => isSame(path, other)))
    throw new UsageError(`cannot write ${path}: it was read for this`);
  if (there !== undefined && !isForced) throw new UsageError(`${path} already exists; --force overwrites it`);
  // The checks above give better messages. The flags protect against a race.
  const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | (isForced ? O_TRUNC : O_EXCL);
  orUsageError(`cannot write ${path}`, () => {
    const file = openSync(path, flags, 0o666);
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
  });
}

function isSame(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false, bigint: true }));
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}
