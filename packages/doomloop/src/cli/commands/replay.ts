import type { GuardConfig } from "../../counting/configured-guard.ts";
import { createGuard } from "../../index.ts";
import { checkConfig, chooseOptions, configFor } from "../../scan/config.ts";
import { createNotices, type Notices } from "../../scan/replay/notices.ts";
import { type Replay, replayRun } from "../../scan/replay/replay-run.ts";
import { count } from "../../scan/report/words.ts";
import { orUsageError, toUsageError, UsageError } from "../../system/usage-error.ts";
import { requireRegularFile } from "../../transcripts/open-regular-file.ts";
import { decompressed, openTrace, readTrace } from "../../transcripts/trace/read-trace.ts";
import type { TraceRun } from "../../transcripts/trace/trace-run.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";

export interface ReplayOptions {
  readonly preset?: string;
  readonly config?: string | false;
}

/** Replays traces through a guard and prints its decisions for programs, one line a run. Returns the exit code. */
export async function replay(
  files: readonly string[],
  options: ReplayOptions,
  streams: CommandStreams,
): Promise<number> {
  const guardOptions = await chooseOptions(options.preset, configFor(options.config));
  const inputs = openInputs(files, streams.input);
  if (files.length === 0 && streams.input.isTTY === true) streams.messages.write("Reading traces from the terminal.\n");
  const notices = createNotices();
  // Options on the command line apply to all runs.
  const isNamed = options.preset !== undefined || typeof options.config === "string";
  const progress = createProgress(streams.messages, () => performance.now());

  try {
    let runs = 0;
    for (const input of inputs)
      runs = await replayInput(input, runs, { guardOptions, isNamed, notices, progress, streams });
    progress.clear();
  } finally {
    progress.clear();
    for (const line of notices.lines()) streams.messages.write(`doomloop: ${line}\n`);
  }
  return notices.hasFault ? 1 : 0;
}

interface Work {
  readonly guardOptions: GuardConfig;
  /** The options were given on the command line. */
  readonly isNamed: boolean;
  readonly notices: Notices;
  readonly progress: Progress;
  readonly streams: CommandStreams;
}

/** Replays one input. Returns the number of runs so far. */
async function replayInput(input: Input, before: number, work: Work): Promise<number> {
  const { guardOptions, isNamed, notices, progress, streams } = work;
  const { output } = streams;
  let runs = before;
  for await (const trace of runsOf(input, notices)) {
    const { run, events } = trace;
    const own = isNamed ? undefined : optionsOf(trace);
    if (own === undefined && !isNamed && trace.options !== undefined) notices.note("options", run);
    const replayed = replayRun(events, own ?? guardOptions);
    notices.note("events", run, replayed.badEvents);
    if (replayed.faults > 0) notices.note("fault", run);
    runs++;
    progress.clear();
    await output.write(replayJson(run, replayed));
    if (output.isClosed) break;
    progress.show(`${count(runs, "run")} replayed`);
  }
  return runs;
}

/** The runs of an input. Turns read errors into a `UsageError`. */
async function* runsOf(input: Input, notices: Notices): ReturnType<typeof readTrace> {
  const runs = readTrace(input.open(), {
    onSkipped: (line, reason) => notices.note(reason, `${input.name}, line ${line}`),
  });
  try {
    yield* runs;
  } catch (error) {
    toUsageError(`cannot read ${input.name}`)(error);
  }
}

/** The options in a run's trace. Undefined if there are none or they are invalid. They contain only plain data. */
export function optionsOf({ options }: TraceRun): GuardConfig | undefined {
  if (options === undefined) return undefined;
  try {
    const checked = checkConfig(options);
    createGuard(checked);
    return checked;
  } catch {
    return undefined;
  }
}

/** A source of traces. */
export interface Input {
  readonly name: string;
  open(): AsyncIterable<Uint8Array>;
}

const STANDARD_INPUT = "-";

/**
 * Opens the inputs from the command line: files, or standard input for `-` or no file. Throws before it reads any of
 * them.
 */
export function openInputs(names: readonly string[], standardInput: AsyncIterable<Uint8Array>): readonly Input[] {
  const wanted = names.length === 0 ? [STANDARD_INPUT] : names;
  if (wanted.filter((name) => name === STANDARD_INPUT).length > 1) {
    throw new UsageError("standard input (-) can be read only once");
  }
  return wanted.map((name) => {
    if (name === STANDARD_INPUT) return { name: "standard input", open: () => decompressed(standardInput) };
    orUsageError(`cannot read ${name}`, () => requireRegularFile(name));
    return { name, open: () => openTrace(name) };
  });
}

/** Raise this when a field is removed or changes its meaning. New fields do not need it. */
const SCHEMA_VERSION = 1;

/** One run as a line of JSON. Calls are counted from 0. */
export function replayJson(run: string, { calls, decisions }: Replay): string {
  const shown = decisions.map(({ call, action, kind, confidence }) => ({ call, action, kind, confidence }));
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, run, calls, decisions: shown })}\n`;
}
