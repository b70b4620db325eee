import type { WriteStream } from "node:tty";
import type { GuardOptions } from "../../core/options.ts";
import { readTrace } from "../../transcripts/trace/read-trace.ts";
import { configFor } from "../config/config-for.ts";
import { readFault } from "../read-fault.ts";
import { chooseOptions } from "../replay/choose-options.ts";
import { createNotices, type Notices } from "../replay/notices.ts";
import { type Input, openInputs } from "../replay/open-inputs.ts";
import { replayRun } from "../replay/replay-run.ts";
import { replayJson } from "../reporters/replay-json.ts";
import { replayTable } from "../reporters/replay-table.ts";
import type { ReplayReporter } from "../reporters/reporter.ts";
import { count } from "../terminal/count.ts";
import type { Output } from "../terminal/output.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";

export interface ReplayOptions {
  readonly json?: boolean;
  readonly preset?: string;
  readonly config?: string | false;
}

/** What a command may touch of the process. */
export interface CommandStreams {
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly output: Output;
  /** Columns of the terminal; undefined if the output is none. */
  readonly width: number | undefined;
  readonly messages: Pick<WriteStream, "isTTY" | "write"> & { readonly rows?: number };
}

/** Replays traces through a guard and prints what it would have decided. Returns the exit code. */
export async function replay(
  files: readonly string[],
  options: ReplayOptions,
  streams: CommandStreams,
): Promise<number> {
  const guardOptions = await chooseOptions(options.preset, configFor(options.config));
  const inputs = openInputs(files, streams.input);
  if (files.length === 0 && streams.input.isTTY === true) streams.messages.write("Reading traces from the terminal.\n");
  const { width } = streams;
  const reporter = options.json === true ? replayJson() : replayTable(width === undefined ? {} : { width });
  const notices = createNotices();
  const progress = createProgress(streams.messages, () => performance.now());

  try {
    let runs = 0;
    for (const input of inputs)
      runs = await replayInput(input, runs, { guardOptions, reporter, notices, progress, streams });
    progress.clear();
    await streams.output.write(reporter.end());
  } finally {
    progress.clear();
    for (const line of notices.lines()) streams.messages.write(`doomloop: ${line}\n`);
  }
  return notices.hasFault ? 1 : 0;
}

interface Work {
  readonly guardOptions: GuardOptions;
  readonly reporter: ReplayReporter;
  readonly notices: Notices;
  readonly progress: Progress;
  readonly streams: CommandStreams;
}

/** Replays one input; returns how many runs there were up to now. */
async function replayInput(input: Input, before: number, work: Work): Promise<number> {
  const { guardOptions, reporter, notices, progress, streams } = work;
  const { output } = streams;
  let runs = before;
  for await (const { run, events } of runsOf(input, notices)) {
    const replayed = replayRun(events, guardOptions);
    notices.skipEvents(run, replayed.badEvents);
    if (replayed.faults > 0) notices.noteFault(run);
    runs++;
    const text = reporter.add(run, replayed);
    if (text !== "") {
      progress.clear();
      await output.write(text);
    }
    if (output.isClosed) break;
    progress.show(`${count(runs, "run")} replayed`);
  }
  return runs;
}

/** The runs of an input. What goes wrong in reading it is the input's fault. */
async function* runsOf(input: Input, notices: Notices): ReturnType<typeof readTrace> {
  const runs = readTrace(input.open(), {
    onSkipped: (line, reason) => notices.skipLine(input.name, line, reason),
  });
  try {
    yield* runs;
  } catch (error) {
    throw new UsageError(`cannot read ${input.name}: ${readFault(error)}`, { cause: error });
  }
}
