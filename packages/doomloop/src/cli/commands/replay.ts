import type { GuardOptions } from "../../core/options.ts";
import { configFor } from "../../scan/config/config-for.ts";
import { chooseOptions } from "../../scan/replay/choose-options.ts";
import { createNotices, type Notices } from "../../scan/replay/notices.ts";
import { type Input, openInputs } from "../../scan/replay/open-inputs.ts";
import { optionsOf } from "../../scan/replay/options-of.ts";
import { replayRun } from "../../scan/replay/replay-run.ts";
import { count } from "../../scan/report/count.ts";
import { readFault } from "../../system/read-fault.ts";
import { UsageError } from "../../system/usage-error.ts";
import { readTrace } from "../../transcripts/trace/read-trace.ts";
import { replayJson } from "../reporters/replay-json.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import type { CommandStreams } from "./command-streams.ts";

export interface ReplayOptions {
  readonly json?: boolean;
  readonly preset?: string;
  readonly config?: string | false;
}

/** Replays traces through a guard and prints, for programs, what it would have decided. For people it is `scan --runs`. Returns the exit code. */
export async function replay(
  files: readonly string[],
  options: ReplayOptions,
  streams: CommandStreams,
): Promise<number> {
  if (options.json !== true) {
    const { scan } = await import("./scan.ts");
    return scan(files.length === 0 ? ["-"] : files, { ...options, runs: true, format: "trace", cache: false }, streams);
  }
  const guardOptions = await chooseOptions(options.preset, configFor(options.config));
  const inputs = openInputs(files, streams.input);
  if (files.length === 0 && streams.input.isTTY === true) streams.messages.write("Reading traces from the terminal.\n");
  const notices = createNotices();
  // What somebody names on the command line counts for all runs.
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
  readonly guardOptions: GuardOptions;
  /** They were named, and not found. */
  readonly isNamed: boolean;
  readonly notices: Notices;
  readonly progress: Progress;
  readonly streams: CommandStreams;
}

/** Replays one input; returns how many runs there were up to now. */
async function replayInput(input: Input, before: number, work: Work): Promise<number> {
  const { guardOptions, isNamed, notices, progress, streams } = work;
  const { output } = streams;
  let runs = before;
  for await (const trace of runsOf(input, notices)) {
    const { run, events } = trace;
    const own = isNamed ? undefined : optionsOf(trace);
    if (own === undefined && !isNamed && trace.options !== undefined) notices.skipOptions(run);
    const replayed = replayRun(events, own ?? guardOptions);
    notices.skipEvents(run, replayed.badEvents);
    if (replayed.faults > 0) notices.noteFault(run);
    runs++;
    progress.clear();
    await output.write(replayJson(run, replayed));
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
