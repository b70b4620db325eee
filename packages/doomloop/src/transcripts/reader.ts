import type { AgentEvent } from "../core/event.ts";

/** The machine that transcripts are looked for on. */
export interface TranscriptEnvironment {
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As `process.platform` has it. */
  readonly platform: string;
}

/** What is known of a run beside its events. All of it was written by someone else: escape before showing. */
export interface SessionFacts {
  /** The folder that the agent worked in. */
  readonly project?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt?: number | undefined;
  readonly model?: string | undefined;
  readonly agentVersion?: string | undefined;
  /** The run that started this one, if it is a subagent's. */
  readonly parent?: string | undefined;
  /** How the run ended, where the format says so. */
  readonly outcome?: string | undefined;
  /** What the agent itself says that the whole run took. Tokens only where no answer tells its own. */
  readonly total?: { readonly tokens?: number | undefined; readonly costUsd?: number | undefined } | undefined;
}

/** What one model answer took. Tokens read from or written to a cache are not part of `inputTokens`. */
export interface TranscriptUsage {
  /** Names the answer. Agents that copy a conversation into another file copy its usage too: count an id once. */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly inputTokens: number;
  /** Thinking included. */
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** Of `cacheWriteTokens`, those that are kept for an hour: they cost more than those that are kept for minutes. */
  readonly cacheWriteLongTokens?: number | undefined;
  /** What the agent itself says that the answer cost. */
  readonly costUsd?: number | undefined;
}

/**
 * Takes what a reader finds, in the order of the file. Must not throw.
 *
 * One file may hold several runs, also interleaved, and one run may lie in several files: everything names its run.
 * Runs of different agents may share a name.
 */
export interface TranscriptSink {
  /** Comes before the first event of a run, and again when more is known: later facts add to earlier ones. */
  session(run: string, facts: SessionFacts): void;
  /** Something that happened in a run, and when, in milliseconds since 1970, where that is recorded. */
  event(run: string, event: AgentEvent, at?: number): void;
  /** What a model answer took: comes after the `round` that begins the answer and before the next one, once an answer. */
  usage(run: string, usage: TranscriptUsage): void;
  /** This file has no more of this run. */
  end(run: string): void;
}

/** Where a transcript lies. */
export interface TranscriptSource {
  readonly path: string;
}

/** Reads the records of one file, one after the other. */
export interface TranscriptParser {
  /**
   * Takes one JSON value: a line, or the whole file if that is one JSON document. Any value may come.
   *
   * Returns false if the record is malformed; kinds of records that the reader does not know are not.
   */
  record(value: unknown): boolean;
  /** The file is over: ends the runs that are open. */
  end(): void;
}

/** What could not be read. */
export interface SkippedRecords {
  readonly malformed: number;
  readonly tooLong: number;
}

/** Turns one agent's files into events. Has no state: each file gets a parser of its own. */
export interface TranscriptReader {
  /** The agent's name on a command line, in lower-case words with hyphens. */
  readonly agent: string;
  /** The agent's name for people. */
  readonly label: string;
  /** How names of its files end, in lower case and with the dot; other files are not looked at. */
  readonly extensions: readonly string[];
  /**
   * `lines` is one JSON value a line. `any` may also be one JSON document over many lines, which is read at once.
   * @default "lines"
   */
  readonly layout?: "lines" | "any";
  /** The folders and files where this agent keeps its transcripts on a machine; they need not exist. */
  roots(environment: TranscriptEnvironment): readonly string[];
  /**
   * Whether a file is this agent's, told from its path and its first 4096 bytes as text; where these say nothing to any reader, from the
   * beginnings of its first lines. Cheap, and never throws.
   */
  isMine(path: string, head: string): boolean;
  /**
   * Whether a file of a folder is read together with another, and not by itself. Told from its path alone.
   * @default never
   */
  isPart?(path: string): boolean;
  /**
   * Whether a file in this agent's own folders is known to be no transcript: it is not looked at there. Told from its path alone.
   * @default never
   */
  isOther?(path: string): boolean;
  /**
   * Other files and folders that are read together with a file: where one of them has changed, so has the file.
   * @default none
   */
  companions?(path: string): readonly string[];
  /**
   * What of a line needs parsing: the line, the line without values that this reader never looks at, or "" if it would do nothing with the record.
   *
   * Asked before each line is parsed. What is left out is not checked: a line that is broken there is read, or passed over, all the same.
   * @default all of it
   */
  trim?(line: string): string;
  /** Begins a file. */
  open(source: TranscriptSource, sink: TranscriptSink): TranscriptParser;
  /** For files that are not JSON, or that lead to other files: reads the file itself, instead of `open`. */
  readFile?(source: TranscriptSource, sink: TranscriptSink): Promise<SkippedRecords>;
}
