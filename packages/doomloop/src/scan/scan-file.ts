import type { AgentEvent } from "../core/event.ts";
import type { GuardOptions } from "../core/options.ts";
import { readFault } from "../system/usage-error.ts";
import type { TranscriptReader, TranscriptSink } from "../transcripts/reader.ts";
import { closeRun, MAX_NAME } from "./close-run.ts";
import { createPriceList } from "./costs/price-list.ts";
import { createTokenSampler, type TokenSampler } from "./costs/token-sampler.ts";
import { findReader, readTranscript } from "./read-transcript.ts";
import type { FileRecord, RunRecord, StepRecord } from "./run-record.ts";
import { createStepRoom } from "./step-window.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

export interface ScanFileOptions {
  readonly guardOptions: GuardOptions;
  /** Whether to calculate prices and estimates. */
  readonly hasCosts: boolean;
  readonly includesContent: boolean;
  /** Reads only this run, and keeps all its steps even if it has no loop. */
  readonly onlyRun?: string | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Shared by all files of a thread, so that each model is looked up once. */
const prices = createPriceList();

/** Maximum number of open runs in one file. Beyond it, the oldest run is closed. */
const MAX_OPEN_RUNS = 256;

/**
 * Plays each run of a transcript through its own guard. Never throws: if the file cannot be read to its end, the
 * record's `fault` says why.
 */
export async function scanFile(path: string, reader: TranscriptReader, options: ScanFileOptions): Promise<FileRecord> {
  const { hasCosts, onlyRun, includesContent, guardOptions } = options;
  const open = new Map<string, RunWatch>();
  const runs: RunRecord[] = [];
  const steps: Record<number, StepRecord> = {};
  const stepRoom = createStepRoom();
  const sampler = hasCosts ? createTokenSampler() : undefined;

  const close = (watch: RunWatch): void => {
    open.delete(watch.run);
    if (watch.isEmpty()) return;
    const record = closeRun(watch, reader.agent, {
      prices: hasCosts ? prices : undefined,
      tokensPerCharacter: watch.ledger.hasUsage() ? undefined : sampler?.tokensPerCharacter(),
    });
    if (record.loops.length > 0 || onlyRun !== undefined) {
      steps[runs.length] = { total: record.calls, steps: watch.window.finish() };
    } else watch.window.drop();
    runs.push(record);
  };

  const watchOf = (run: string): RunWatch | undefined => {
    const known = open.get(run);
    if (known !== undefined) return known;
    if (onlyRun !== undefined && run.slice(0, MAX_NAME) !== onlyRun) return undefined;
    if (open.size >= MAX_OPEN_RUNS) close(open.values().next().value!);
    const watch = watchRun(run, { guardOptions, stepRoom, keepsAll: onlyRun !== undefined, includesContent });
    open.set(run, watch);
    return watch;
  };

  const sink: TranscriptSink = {
    session: (run, facts) => watchOf(run)?.addFacts(facts),
    event(run, event, at) {
      watchOf(run)?.observe(event, at);
      if (sampler !== undefined) show(sampler, event);
    },
    usage: (run, usage) => watchOf(run)?.addUsage(usage),
    end(run) {
      const watch = open.get(run);
      if (watch !== undefined) close(watch);
    },
  };

  let skippedLines = 0;
  let fault: string | null = null;
  try {
    const { skipped } = await readTranscript(path, reader, sink, {
      onProgress: options.onProgress,
      signal: options.signal,
    });
    skippedLines = skipped.malformed + skipped.tooLong;
  } catch (error) {
    // Everything read before the error is valid.
    fault = readFault(error);
  }
  for (const watch of [...open.values()]) close(watch);
  return { agent: reader.agent, runs, steps, skippedLines, fault };
}

function show(sampler: TokenSampler, event: AgentEvent): void {
  if (event?.type === "result") sampler.show(event.output);
  else if (event?.type === "text" || event?.type === "user") sampler.show(event.text);
}

export interface ScanTargetOptions extends ScanFileOptions {
  readonly readers: readonly TranscriptReader[];
  /** The agent that wrote the file. If undefined, it is detected. */
  readonly format: string | undefined;
}

/**
 * Finds the reader for a file and scans it. Never throws: if the file cannot be read, the record's `fault` says why.
 */
export async function scanTarget(path: string, options: ScanTargetOptions): Promise<FileRecord> {
  const { readers, format } = options;
  try {
    const reader = format === undefined ? findReader(path, readers) : readers.find(({ agent }) => agent === format);
    return reader === undefined ? nothing(null) : await scanFile(path, reader, options);
  } catch (error) {
    return nothing(readFault(error));
  }
}

function nothing(fault: string | null): FileRecord {
  return { agent: null, runs: [], steps: {}, skippedLines: 0, fault };
}

/** How to scan, as plain data that can be sent to a worker. */
export interface ScanOrder {
  readonly preset: string | undefined;
  /** A file with guard options. It may contain functions, so each thread loads it itself. */
  readonly config: string | undefined;
  readonly readerModules: readonly string[];
  readonly format: string | undefined;
  readonly hasCosts: boolean;
  readonly includesContent: boolean;
}

export type WorkerMessage = { readonly type: "file"; readonly path: string } | { readonly type: "stop" };

export type WorkerAnswer =
  | { readonly type: "progress"; readonly bytes: number }
  | { readonly type: "done"; readonly record: FileRecord; readonly isWhole: boolean };
