import { configFor } from "../../scan/config/config-for.ts";
import { chooseOptions } from "../../scan/replay/choose-options.ts";
import { type RunScanOptions, runScan } from "../../scan/run-scan.ts";
import { readTimeRange, type TimeRangeOptions } from "../../scan/time-range.ts";
import { judgeBy, markOf, readMarks, writeMarks } from "../../scan/tune/marks.ts";
import { type Stretch, stretchesOf } from "../../scan/tune/stretches.ts";
import { type Trial, tallyOf, tryChanges } from "../../scan/tune/try-changes.ts";
import { writeChange } from "../../scan/tune/write-change.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { stretchWords, trialWords } from "../reporters/tune-words.ts";
import { ask } from "../terminal/ask.ts";
import { createProgress } from "../terminal/progress.ts";
import { createScanProgress } from "../terminal/scan-progress.ts";
import { createStyle } from "../terminal/style.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/until-interrupted.ts";
import { askMarks } from "./ask-marks.ts";
import { type CommandStreams, WIDE } from "./command-streams.ts";

export interface TuneOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Pick<RunScanOptions, "agent" | "project" | "session" | "format" | "reader" | "cache" | "config"> {
  readonly right?: readonly string[];
  readonly wrong?: readonly string[];
  readonly write?: string | true;
}

const MARKS = "doomloop.marks.json";
const CONFIG = "doomloop.config.json";

/** Learns which alarms were wrong, and proposes one change of the configuration that avoids them. Returns the exit code. */
export async function tune(paths: readonly string[], options: TuneOptions, streams: CommandStreams): Promise<number> {
  const { output, messages, width = WIDE } = streams;
  const { right, wrong, write, config } = options;
  if (write !== undefined && config === false) throw new UsageError("--write and --no-config: only one can be given");
  const isTerminal = streams.input.isTTY === true && streams.width !== undefined;
  const isAsking = isTerminal && (right ?? wrong ?? write) === undefined;
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: "30d" } : {}) }, Date.now());
  let marks = readMarks(MARKS);
  const progress = createProgress(messages, () => performance.now());
  const onProgress = createScanProgress(progress, () => performance.now());
  const { result, isInterrupted } = await untilInterrupted((signal) =>
    runScan(paths, { ...options, range, hasSteps: true, signal, onProgress }),
  ).finally(() => progress.clear());
  if (isInterrupted) return stopped(streams);
  if (result.files === 0) throw new UsageError(`no transcripts found in ${range.words}; name a file or folder`);

  const report = result.builder.build(Date.now());
  const stretches = stretchesOf(report.loops);
  const keep = (stretch: Stretch, isRight: boolean): void => {
    marks = [...marks, markOf(stretch, isRight)];
    writeMarks(MARKS, marks);
  };
  for (const [stretch, isRight] of judgementsIn(stretches, options)) keep(stretch, isRight);
  const look = { width, style: createStyle({ isTTY: streams.width !== undefined }, process.env) };
  const show = (stretch: Stretch): Promise<void> => output.write(`\n${stretchWords(stretch, report, look)}\n`);
  const unjudged = judgeBy(marks, stretches).filter(({ isRight }) => isRight === undefined);
  if (isAsking && !(await askMarks(unjudged, show, keep))) return INTERRUPTED;

  const guardOptions = await chooseOptions(undefined, configFor(config));
  const judged = judgeBy(marks, stretches);
  const onTry = (tried: number, total: number): void => progress.show(`Trying changes, ${tried} of ${total}`);
  const tried = await untilInterrupted((signal) =>
    tryChanges(judged, { guardOptions, readers: result.readers, runs: result.builder.runs(), signal, onTry }),
  ).finally(() => progress.clear());
  if (tried.isInterrupted) return stopped(streams);
  await output.write(trialWords(tried.result, tallyOf(judged), look));
  const chosen = await choose(tried.result, isAsking && config !== false, write);
  if (chosen === undefined) return 0;
  const path = configFor(config) ?? CONFIG;
  writeChange(path, chosen.change.patch);
  messages.write(`Wrote ${JSON.stringify(chosen.change.patch)} to ${printable(path)}\n`);
  return 0;
}

function stopped({ messages }: CommandStreams): number {
  messages.write("doomloop: stopped early\n");
  return INTERRUPTED;
}

/** What the command line says of stretches, by the ids of their findings or sessions. Throws a `UsageError` for an id that is none. */
function judgementsIn(stretches: readonly Stretch[], { right = [], wrong = [] }: TuneOptions): Map<Stretch, boolean> {
  const judgements = new Map<Stretch, boolean>();
  for (const [at, id] of [...right, ...wrong].entries()) {
    const isRight = at < right.length;
    const named = stretches.filter(({ session, loops }) => session === id || loops.some((loop) => loop.id === id));
    if (named.length === 0)
      throw new UsageError(`no finding or session with findings is called ${id}; doomloop scan has the ids`);
    for (const stretch of named) {
      if (judgements.get(stretch) === !isRight) throw new UsageError(`${id}: the same calls cannot be right and wrong`);
      judgements.set(stretch, isRight);
    }
  }
  return judgements;
}

/** The change to write, by its number: as the command line has it, or as a person says. */
async function choose(
  trials: readonly Trial[],
  isAsking: boolean,
  write: string | true | undefined,
): Promise<Trial | undefined> {
  if (trials.length === 0) return undefined;
  const numbers = trials.map((_, at) => String(at + 1));
  const answer = isAsking ? await ask(`\nWrite which one? ${numbers.join(", ")} or [n]one: `) : write;
  const chosen = trials[numbers.indexOf(answer === true ? "1" : (answer ?? ""))];
  if (chosen !== undefined || write === undefined) return chosen;
  throw new UsageError(`--write: ${numbers.join(" or ")} is required, got ${write}`);
}
