import type { SessionFacts, TranscriptSink, TranscriptUsage } from "./reader.ts";
import { toolOutput } from "./tool-output.ts";

interface ResultFacts {
  readonly error?: boolean | undefined;
  readonly at?: number | undefined;
  /** A refusal instead of the tool's answer. */
  readonly synthetic?: boolean | undefined;
}

const MAX_WAITING = 32;

/** Turns the content of a transcript into the events of one run: rounds, answers with and without calls, usage. */
export type RunEvents = ReturnType<typeof createRunEvents>;

/**
 * Creates the events of one run.
 *
 * Text is held back until the answer ends, because only then is it clear whether it goes with calls.
 */
export function createRunEvents(run: string, sink: TranscriptSink) {
  let isRound = false;
  let isAnswered = false;
  let roundId: string | undefined;
  let hasCalls = false;
  let waiting: string[] = [];
  let waitingAt: number | undefined;
  let usage: TranscriptUsage | undefined;
  let knownModel: string | undefined;

  const sendPieces = (): void => {
    for (const text of waiting) sink.event(run, { type: "text", text, partial: true }, waitingAt);
    if (waiting.length > 0) waiting = [];
  };

  const finish = (): void => {
    if (waiting.length > 0) {
      const text = waiting.length === 1 ? waiting[0]! : waiting.join("\n");
      waiting = [];
      sink.event(run, { type: "text", text }, waitingAt);
    }
    if (usage !== undefined) sink.usage(run, usage);
    usage = undefined;
    hasCalls = false;
    isRound = false;
    isAnswered = false;
    roundId = undefined;
  };

  const begin = (): void => {
    if (isAnswered) finish();
    if (!isRound) sink.event(run, { type: "round" }, undefined);
    isRound = true;
  };

  return {
    facts: (facts: SessionFacts): void => sink.session(run, facts),
    /** Sets the model of the following answers. */
    model(model: string | undefined): void {
      if (model === undefined || model === knownModel) return;
      knownModel = model;
      sink.session(run, { model });
    },
    /** Begins a model answer, unless the id is that of the current one. */
    round(id?: string): void {
      if (isRound && id !== undefined && id === roundId) return;
      finish();
      begin();
      roundId = id;
    },
    /**
     * Marks the end of an answer, for formats that do not: for example, a result came. The model's next output begins
     * another answer.
     */
    answered(): void {
      isAnswered = isRound;
    },
    reasoning(text: string | undefined, at?: number): void {
      if (text === undefined || isBlank(text)) return;
      begin();
      sink.event(run, { type: "reasoning", text }, at);
    },
    text(text: string | undefined, at?: number): void {
      if (text === undefined || isBlank(text)) return;
      begin();
      if (waiting.length === 0) waitingAt = at;
      waiting.push(text);
      if (hasCalls || waiting.length >= MAX_WAITING) sendPieces();
    },
    call(id: string | undefined, tool: string, args: unknown, at?: number): void {
      begin();
      hasCalls = true;
      sendPieces();
      sink.event(run, { type: "call", id, tool, args, at }, at);
    },
    result(id: string | undefined, content: unknown, { error, at, synthetic }: ResultFacts = {}): void {
      const { output, digest, length } = toolOutput(content);
      sink.event(run, { type: "result", id, output, error, digest, length, at, synthetic }, at);
    },
    user(text: string | undefined, at?: number): void {
      finish();
      sink.event(run, { type: "user", text }, at);
    },
    /** The user spoke during an answer. */
    interject: (text: string | undefined, at?: number): void => sink.event(run, { type: "user", text }, at),
    compaction(at?: number): void {
      finish();
      sink.event(run, { type: "compaction" }, at);
    },
    /** Sets the usage of the current answer. A later call replaces it. */
    usage(told: TranscriptUsage): void {
      usage = told;
    },
    /**
     * Sets the usage of an answer for formats that report it once, and mark answers by nothing else. The model's next
     * output begins another answer. If the current answer has its usage, this is that of the next one.
     */
    report(told: TranscriptUsage): void {
      const isNext = usage !== undefined;
      if (isNext) {
        finish();
        begin();
      }
      usage = told;
      isAnswered = isRound && !isNext;
    },
    end(): void {
      finish();
      sink.end(run);
    },
  };
}

/** A long text is not blank, and trimming would copy it. */
function isBlank(text: string): boolean {
  return text.length < 256 && text.trim() === "";
}

const MAX_SEEN = 65_536;

/** Remembers ids, so that repeated records are read once. Forgets the oldest if there are too many. */
export function createSeenIds() {
  const seen = new Set<string>();
  return {
    has: (id: string): boolean => seen.has(id),
    /** Adds an id. Returns true if it is new. */
    add(id: string): boolean {
      if (seen.has(id)) return false;
      seen.add(id);
      if (seen.size > MAX_SEEN) seen.delete(seen.keys().next().value!);
      return true;
    },
    get size(): number {
      return seen.size;
    },
  };
}

/** Beyond this number of open runs, the oldest is ended. Later events of it form a new run. */
const MAX_OPEN = 256;

/** The open runs of a file. */
export function createOpenRuns(sink: TranscriptSink) {
  const open = new Map<string, RunEvents>();
  return {
    has: (run: string): boolean => open.has(run),
    /** The run with this name. Begins it if it is not open. */
    get(run: string): RunEvents {
      const known = open.get(run);
      if (known !== undefined) return known;
      const [oldest] = open.size < MAX_OPEN ? [] : open;
      oldest?.[1].end();
      if (oldest !== undefined) open.delete(oldest[0]);
      const begun = createRunEvents(run, sink);
      open.set(run, begun);
      return begun;
    },
    endAll(): void {
      for (const run of open.values()) run.end();
      open.clear();
    },
  };
}
