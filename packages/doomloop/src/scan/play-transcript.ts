import { estimateTokenCount } from "tokenx";
import type { AgentEvent } from "../core/event.ts";
import type { GuardConfig } from "../counting/configured-guard.ts";
import type { TranscriptSink } from "../transcripts/reader.ts";
import { closeRun, MAX_NAME } from "./close-run.ts";
import type { PriceList } from "./costs/model-rates.ts";
import type { FileRecord, RunRecord, StepRecord } from "./run-record.ts";
import { createStepRoom } from "./step-window.ts";
import { type RunWatch, watchRun } from "./watch-run.ts";

export interface PlayTranscriptOptions {
  readonly guardOptions: GuardConfig;
  /** If undefined, neither prices nor estimates are calculated. */
  readonly prices: PriceList | undefined;
  readonly includesContent: boolean;
  /** Plays only this run, and keeps all its steps even if it has no loop. */
  readonly onlyRun?: string | undefined;
}

/** Receives what a reader finds in one transcript. */
export interface PlayedTranscript extends TranscriptSink {
  /** Closes all open runs and returns what is kept of the transcript. */
  finish(): Pick<FileRecord, "runs" | "steps">;
}

/** Maximum number of open runs in one file. Beyond it, the oldest run is closed. */
const MAX_OPEN_RUNS = 256;

/** Plays each run of a transcript through its own guard. It needs nothing from the machine, so it also runs in a browser. */
export function playTranscript(agent: string, options: PlayTranscriptOptions): PlayedTranscript {
  const { prices, onlyRun, includesContent, guardOptions } = options;
  const open = new Map<string, RunWatch>();
  const runs: RunRecord[] = [];
  const steps: Record<number, StepRecord> = {};
  const stepRoom = createStepRoom();
  const sampler = prices === undefined ? undefined : createTokenSampler();

  const close = (watch: RunWatch): void => {
    open.delete(watch.run);
    if (watch.isEmpty()) return;
    const tokensPerCharacter = watch.ledger.hasUsage() ? undefined : sampler?.tokensPerCharacter();
    const record = closeRun(watch, agent, { prices, tokensPerCharacter });
    if (record.loops.length > 0 || onlyRun !== undefined) {
      steps[runs.length] = { total: record.calls, steps: watch.steps() };
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

  return {
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
    finish() {
      for (const watch of [...open.values()]) close(watch);
      return { runs, steps };
    },
  };
}

function show(sampler: TokenSampler, event: AgentEvent): void {
  if (event?.type === "result") sampler.show(event.output);
  else if (event?.type === "text" || event?.type === "user") sampler.show(event.text);
}

/** Estimates the number of tokens for each character, which depends on the language and the kind of text. */
interface TokenSampler {
  /** Adds a piece of text to the sample, until the sample is full. */
  show(text: unknown): void;
  tokensPerCharacter(): number;
}

/** Without a sample, assume four characters for each token. */
const DEFAULT_RATIO = 0.25;
const MAX_SAMPLE = 4_096;
const MAX_PIECE = 512;

/** Creates a sampler. Estimating is slow, so it only uses a few kilobytes of text. */
function createTokenSampler(): TokenSampler {
  let sample = "";
  let measured = 0;
  let ratio = DEFAULT_RATIO;
  return {
    show(text) {
      if (sample.length >= MAX_SAMPLE || typeof text !== "string") return;
      sample += text.slice(0, MAX_PIECE);
    },
    tokensPerCharacter() {
      if (sample.length > measured) {
        measured = sample.length;
        ratio = estimateTokenCount(sample) / sample.length;
      }
      return ratio;
    },
  };
}
