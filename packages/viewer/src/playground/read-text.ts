import prices from "../../../doomloop/assets/prices.json?raw";
import type { PriceData } from "../../../doomloop/src/scan/costs/find-model.ts";
import { PRICE_LIST, priceListFrom, publicModelsFrom } from "../../../doomloop/src/scan/costs/model-rates.ts";
import { detectReader } from "../../../doomloop/src/scan/detect-reader.ts";
import { playTranscript } from "../../../doomloop/src/scan/play-transcript.ts";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { createReportBuilder } from "../../../doomloop/src/scan/report-builder.ts";
import type { TranscriptReader, TranscriptSink } from "../../../doomloop/src/transcripts/reader.ts";
import { createRecordLines, type RecordLines } from "../../../doomloop/src/transcripts/record-lines.ts";
import { textReaders } from "./text-readers.ts";

export interface ReadTextOptions {
  /** The name of the file. Undefined for a text that was pasted. */
  readonly name: string | undefined;
  /** Whether the report holds arguments and results. */
  readonly includesContent: boolean;
  /** The version of doomloop that the report names. */
  readonly version: string;
  /** Called from time to time with the part that was read, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** The report of a text, or in plain words why there is none. */
export type ReadText = { readonly report: Report; readonly format: string } | { readonly fault: string };

export const MAX_CHARACTERS = 20_000_000;
export const TOO_LARGE = "The page reads up to 20 MB. For more, run npx doomloop scan with the name of the file.";

/** Rests after this time, so that the browser can draw and answer clicks. */
const TURN_MS = 40;

/**
 * Plays a transcript through the guard, as `doomloop scan` does, and rests in between. The text may be anything.
 *
 * Only this function knows the whole text: what it returns holds what a report holds.
 */
export async function readText(text: string, options: ReadTextOptions): Promise<ReadText> {
  const { name, includesContent, version, onProgress } = options;
  if (text.length > MAX_CHARACTERS) return { fault: TOO_LARGE };
  if (text.trim() === "") return { fault: "There is nothing to read yet. Paste a transcript, or choose a file." };
  const reader = readerOf(text, name);
  if (reader === undefined) return { fault: unknownWords(text) };

  const list = priceListFrom(() => JSON.parse(prices) as PriceData);
  const played = playTranscript(reader.agent, { guardOptions: {}, prices: list, includesContent });
  const waiting: (() => void)[] = [];
  const path = name ?? "pasted";
  const lines = createRecordLines(reader.open({ path }, createQueue(played, waiting)), {
    layout: reader.layout,
    maxSize: MAX_CHARACTERS,
  });
  await feed(text, lines, waiting, onProgress);

  const { malformed, tooLong } = lines.skipped();
  const kept = played.finish();
  if (kept.runs.length === 0) return { fault: emptyWords(reader.label, malformed) };
  const builder = createReportBuilder({
    version,
    preset: "balanced",
    since: undefined,
    until: undefined,
    includesContent,
    pricesAsOf: PRICE_LIST.asOf,
    hasSteps: true,
    nameOf: (agent) => (agent === reader.agent ? reader.label : agent),
    modelOf: publicModelsFrom(list),
    accepts: () => true,
  });
  const now = Date.now();
  const record = { agent: reader.agent, ...kept, skippedLines: malformed + tooLong, longLines: tooLong, fault: null };
  builder.add({ path, size: text.length, modifiedMs: now }, record);
  return { report: builder.build(now), format: reader.label };
}

const HEAD = 4096;
const BEGINNING = 1024;
const MAX_LINES = 24;

/** The reader for a text: by its head, or else by the beginnings of its first lines, as the scan finds it. */
function readerOf(text: string, name: string | undefined): TranscriptReader | undefined {
  const beginnings = text.slice(0, 1_000_000).split("\n", MAX_LINES);
  const heads = [text.slice(0, HEAD), beginnings.map((line) => line.slice(0, BEGINNING)).join("\n")];
  // A pasted text has no name, and a file may have any.
  const names = [...(name === undefined ? [] : [name]), "pasted.jsonl", "pasted.json", "pasted.traj"];
  for (const head of heads) {
    for (const each of names) {
      const found = detectReader(each, head, textReaders);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Notes what a parser tells, because one record may hold a whole transcript and take seconds to play. */
function createQueue(sink: TranscriptSink, waiting: (() => void)[]): TranscriptSink {
  return {
    session: (run, facts) => waiting.push(() => sink.session(run, facts)),
    event: (run, event, at) => waiting.push(() => sink.event(run, event, at)),
    usage: (run, usage) => waiting.push(() => sink.usage(run, usage)),
    end: (run) => waiting.push(() => sink.end(run)),
  };
}

async function feed(
  text: string,
  lines: RecordLines,
  waiting: (() => void)[],
  onProgress: (part: number) => void,
): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  const play = async (from: number, to: number): Promise<void> => {
    for (const [at, step] of waiting.entries()) {
      step();
      if (performance.now() < turnEnds) continue;
      onProgress((from + ((to - from) * at) / waiting.length) / text.length);
      await new Promise((done) => setTimeout(done));
      turnEnds = performance.now() + TURN_MS;
    }
    waiting.length = 0;
  };
  let from = 0;
  let played = 0;
  while (from < text.length) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    lines.take(text.slice(from, to), to - from);
    from = to + 1;
    if (waiting.length === 0) continue;
    await play(played, to);
    played = to;
  }
  lines.end();
  await play(played, text.length);
}

function unknownWords(text: string): string {
  if (text.slice(0, HEAD).includes("\0") || text.startsWith("\u001F"))
    return "This is not text. If the file is compressed, unpack it first.";
  const isJson = /^\s*[[{]/.test(text.slice(0, HEAD));
  return isJson
    ? "This is JSON, but not a transcript that the page knows. See below what it reads. Paste from the first line on."
    : "This is not a transcript. A transcript is JSON: one record in each line, or one list of messages.";
}

function emptyWords(label: string, malformed: number): string {
  const looks = `This looks like ${label}, but there is no call and no answer in it.`;
  if (malformed === 0) return looks;
  return `${looks} ${malformed === 1 ? "1 line is damaged" : `${malformed} lines are damaged`}.`;
}
