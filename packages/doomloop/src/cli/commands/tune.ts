import { writeFileSync } from "node:fs";
import { readFault } from "../read-fault.ts";
import { readTop } from "../read-top.ts";
import { chooseOptions } from "../replay/choose-options.ts";
import { findingsTable, settingsTable } from "../reporters/tune-table.ts";
import type { LoopSummary } from "../scan/report.ts";
import { findFiles, isWanted, orderOf, type RunScanOptions } from "../scan/run-scan.ts";
import { createScanProgress } from "../scan/scan-progress.ts";
import { readTimeRange, type TimeRangeOptions } from "../scan/time-range.ts";
import { count } from "../terminal/count.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/until-interrupted.ts";
import { wrapText } from "../terminal/wrap.ts";
import { askMarks, markOf } from "../tune/ask-marks.ts";
import { type CompareOptions, compareSettings, isSame, type Outcome, trySetting } from "../tune/compare-settings.ts";
import { fitSetting } from "../tune/fit-setting.ts";
import { type Mark, readMarks, writeMarks } from "../tune/marks.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandStreams } from "./replay.ts";

export interface TuneOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Omit<
      RunScanOptions,
      "range" | "hasSteps" | "signal" | "onProgress" | "onStart" | "preset" | "cost" | "includeContent"
    > {
  readonly right?: readonly string[];
  readonly wrong?: readonly string[];
  readonly ask?: boolean;
  readonly marks?: string;
  readonly write?: boolean;
  readonly top?: string;
}

const WIDE = 120;
const MARKS = "doomloop.marks.json";
const CONFIG = "doomloop.config.json";
const DEFAULT_TOP = 10;

/** Compares settings on transcripts, keeps marks, and fits a configuration to them. Returns the exit code. */
export async function tune(paths: readonly string[], options: TuneOptions, streams: CommandStreams): Promise<number> {
  const marksPath = options.marks ?? MARKS;
  const before = readMarks(marksPath);
  const limit = readTop(options.top, DEFAULT_TOP);
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: "30d" } : {}) }, Date.now());
  const choice = { ...options, range };
  const order = orderOf({ ...options, cost: false });
  const current = await chooseOptions(undefined, order.config);
  const { files, readers } = await findFiles(paths, choice);
  if (files.length === 0) throw new UsageError(`no transcripts found in ${range.words}; name a file or folder`);
  const progress = createProgress(streams.messages, () => performance.now());
  const compare: Omit<CompareOptions, "signal"> = {
    readers,
    order,
    guardOptions: current,
    accepts: (run, id, file) => isWanted(run, id, file, choice),
    onProgress: createScanProgress(progress, () => performance.now()),
  };
  const { result: outcomes, isInterrupted } = await untilInterrupted((signal) =>
    compareSettings(files, { ...compare, signal }),
  ).finally(() => progress.clear());
  if (isInterrupted) return stopped(streams);

  const found = [...new Map(outcomes.flatMap(({ loops }) => loops.map((loop) => [loop.id, loop]))).values()];
  const given = marksFrom(found, options);
  const unmarked = found.filter((loop) => ![...before, ...given].some((mark) => isSame(loop, mark)));
  const asked = options.ask === true && streams.input.isTTY === true ? await askMarks(unmarked) : [];
  const fresh = [...given, ...asked];
  const marks = [...before.filter(({ id }) => !fresh.some((mark) => mark.id === id)), ...fresh];
  if (fresh.length > 0) writeMarks(marksPath, marks);

  const look = {
    width: streams.width ?? WIDE,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
  };
  await streams.output.write(`${wrapText(aboutTable(marks), look.width)}\n\n`);
  await streams.output.write(settingsTable(outcomes, marks, look));
  if (marks.length === 0 || asked.length + given.length === 0) await listUnmarked(unmarked, limit, streams, look);
  if (options.write !== true) return 0;
  if (marks.length === 0) throw new UsageError("--write: marks are required; --ask, --right and --wrong make them");
  const fitted = fitSetting(outcomes, marks);
  if (fitted === current) {
    streams.messages.write("Nothing that was tried fits the marks better than what is in use.\n");
    return 0;
  }
  const tried = await untilInterrupted((signal) =>
    trySetting(files, { name: "after", options: fitted }, { ...compare, signal }),
  ).finally(() => progress.clear());
  if (tried.isInterrupted) return stopped(streams);
  await report(outcomes[0]!, tried.result, marks, streams, look);
  write(CONFIG, `${JSON.stringify(fitted, undefined, 2)}\n`);
  streams.messages.write(`Wrote ${CONFIG}\n`);
  return 0;
}

function aboutTable(marks: readonly Mark[]): string {
  const first =
    "What each setting would have found; now is what is in use. Settings that find the same as now are left out.";
  return marks.length === 0 ? first : `${first} Right and wrong: the findings among them that are so marked.`;
}

/** A comparison of what was read by then would compare nothing. */
function stopped({ messages }: CommandStreams): number {
  messages.write("doomloop: stopped early, nothing was compared\n");
  return INTERRUPTED;
}

async function listUnmarked(
  loops: readonly LoopSummary[],
  limit: number,
  { output }: CommandStreams,
  look: Look,
): Promise<void> {
  if (loops.length === 0) return;
  const shown = limit < loops.length ? `, the first ${limit.toLocaleString("en-US")}` : "";
  const words = `${count(loops.length, "finding")} without a mark${shown}. Is it a loop? --right ID, --wrong ID, or --ask.`;
  await output.write(`\n${wrapText(words, look.width)}\n\n`);
  await output.write(findingsTable(loops.slice(0, limit), look));
}

type Look = Parameters<typeof settingsTable>[2];

async function report(
  now: Outcome,
  after: Outcome,
  marks: readonly Mark[],
  { output }: CommandStreams,
  look: Look,
): Promise<void> {
  const named = { ...now, setting: { ...now.setting, name: "before" } };
  await output.write(`\n${settingsTable([named, after], marks, look)}`);
}

/** The marks that the command line makes. Throws a `UsageError` for a finding that no setting made. */
function marksFrom(found: readonly LoopSummary[], { right = [], wrong = [] }: TuneOptions): readonly Mark[] {
  const mark = (id: string, isRight: boolean): Mark => {
    const loop = found.find((each) => each.id === id);
    if (loop === undefined) throw new UsageError(`no finding ${id}; doomloop tune lists them`);
    return markOf(loop, isRight);
  };
  return [...right.map((id) => mark(id, true)), ...wrong.map((id) => mark(id, false))];
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}
