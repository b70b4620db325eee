import type { SessionFacts, TranscriptSink, TranscriptUsage } from "./reader.ts";
import { toolOutput } from "./tool-output.ts";

interface ResultFacts {
  readonly error?: boolean | undefined;
  readonly at?: number | undefined;
  /** A refusal instead of the tool's answer. */
  readonly synthetic?: boolean | undefined;
}

/** Turns the content of a transcript into the events of one run: rounds, answers with and without calls, usage. */
export interface RunEvents {
  facts(facts: SessionFacts): void;
  /** Sets the model of the following answers. */
  model(model: string | undefined): void;
  /** Begins a model answer, unless the id is that of the current one. */
  round(id?: string): void;
  /**
   * Marks the end of an answer, for formats that do not: for example, a result came. The model's next output begins
   * another answer.
   */
  answered(): void;
  reasoning(text: string | undefined, at?: number): void;
  text(text: string | undefined, at?: number): void;
  call(id: string | undefined, tool: string, args: unknown, at?: number): void;
  result(id: string | undefined, content: unknown, facts?: ResultFacts): void;
  user(text: string | undefined, at?: number): void;
  /** The user spoke during an answer. */
  interject(text: string | undefined, at?: number): void;
  compaction(at?: number): void;
  /** Sets the usage of the current answer. A later call replaces it. */
  usage(usage: TranscriptUsage): void;
  /**
   * Sets the usage of an answer for formats that report it once, and mark answers by nothing else. The model's next
   * output begins another answer. If the current answer has its usage, this is that of the next one.
   */
  report(usage: TranscriptUsage): void;
  end(): void;
}

const MAX_WAITING = 32;

/**
 * Creates the events of one run.
 *
 * Text is held back until the answer ends, because only then is it clear whether it goes with calls.
 */
export function createRunEvents(run: string, sink: TranscriptSink): RunEvents {
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
    facts: (facts) => sink.session(run, facts),
    model(model) {
      if (model === undefined || model === knownModel) return;
      knownModel = model;
      sink.session(run, { model });
    },
    round(id) {
      if (isRound && id !== undefined && id === roundId) return;
      finish();
      begin();
      roundId = id;
    },
    answered() {
      isAnswered = isRound;
    },
    reasoning(text, at) {
      if (text === undefined || isBlank(text)) return;
      begin();
      sink.event(run, { type: "reasoning", text }, at);
    },
    text(text, at) {
      if (text === undefined || isBlank(text)) return;
      begin();
      if (waiting.length === 0) waitingAt = at;
      waiting.push(text);
      if (hasCalls || waiting.length >= MAX_WAITING) sendPieces();
    },
    call(id, tool, args, at) {
      begin();
      hasCalls = true;
      sendPieces();
      sink.event(run, { type: "call", id, tool, args, at }, at);
    },
    result(id, content, facts = {}) {
      const { error, at, synthetic } = facts;
      const { output, digest, length } = toolOutput(content);
      sink.event(run, { type: "result", id, output, error, digest, length, at, synthetic }, at);
    },
    user(text, at) {
      finish();
      sink.event(run, { type: "user", text }, at);
    },
    interject: (text, at) => sink.event(run, { type: "user", text }, at),
    compaction(at) {
      finish();
      sink.event(run, { type: "compaction" }, at);
    },
    usage(told) {
      usage = told;
    },
    report(told) {
      const isNext = usage !== undefined;
      if (isNext) {
        finish();
        begin();
      }
      usage = told;
      isAnswered = isRound && !isNext;
    },
    end() {
      finish();
      sink.end(run);
    },
  };
}

/** A long text is not blank, and trimming would copy it. */
function isBlank(text: string): boolean {
  return text.length < 256 && text.trim() === "";
}

/** Remembers ids, so that repeated records are read once. */
interface SeenIds {
  has(id: string): boolean;
  /** Adds an id. Returns true if it is new. */
  add(id: string): boolean;
  readonly size: number;
}

const MAX_SEEN = 65_536;

/** Forgets the oldest ids if there are too many. */
export function createSeenIds(): SeenIds {
  const seen = new Set<string>();
  return {
    has: (id) => seen.has(id),
    add(id) {
      if (seen.has(id)) return false;
      seen.add(id);
      if (seen.size > MAX_SEEN) seen.delete(seen.keys().next().value!);
      return true;
    },
    get size() {
      return seen.size;
    },
  };
}

/** The open runs of a file. */
interface OpenRuns {
  /** The run with this name. Begins it if it is not open. */
  get(run: string): RunEvents;
  has(run: string): boolean;
  endAll(): void;
}

/** Beyond this number of open runs, the oldest is ended. Later events of it form a new run. */
const MAX_OPEN = 256;

export function createOpenRuns(sink: TranscriptSink): OpenRuns {
  const open = new Map<string, RunEvents>();
  let latestName: string | undefined;
  let latest: RunEvents | undefined;
  return {
    get(run) {
      if (latest !== undefined && run === latestName) return latest;
      let found = open.get(run);
      if (found === undefined) {
        found = createRunEvents(run, sink);
        open.set(run, found);
        if (open.size > MAX_OPEN) giveUpOldest(open);
      }
      latestName = run;
      latest = found;
      return found;
    },
    // Almost always the run of the previous record. Comparing its name is faster than looking it up.
    has: (run) => (latest !== undefined && run === latestName) || open.has(run),
    endAll() {
      for (const run of open.values()) run.end();
      open.clear();
      latest = undefined;
    },
  };
}

function giveUpOldest(open: Map<string, RunEvents>): void {
  for (const [name, run] of open) {
    run.end();
    open.delete(name);
    return;
  }
}
