import type { AgentEvent } from "../core/event.ts";

/** The machine on which transcripts are searched. */
export interface TranscriptEnvironment {
  /** The user's home folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A value of `process.platform`. */
  readonly platform: string;
}

/** What is known about a run besides its events. All text is foreign: escape it before showing it. */
export interface SessionFacts {
  /** The agent's working folder. */
  readonly project?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt?: number | undefined;
  readonly model?: string | undefined;
  /** The agent, if the format is not an agent's own. */
  readonly agent?: string | undefined;
  readonly agentVersion?: string | undefined;
  /** For a subagent's run, the run that started it. */
  readonly parent?: string | undefined;
  /** How the run ended, if the format says so. */
  readonly outcome?: string | undefined;
  /** The total that the agent recorded for the run. Set tokens only if no answer has its own usage. */
  readonly total?: { readonly tokens?: number | undefined; readonly costUsd?: number | undefined } | undefined;
}

/** What one model answer used. `inputTokens` does not include tokens read from or written to a cache. */
export interface TranscriptUsage {
  /**
   * The id of the answer. Agents that copy a conversation into another file also copy its usage, so each id must count
   * once.
   */
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly inputTokens: number;
  /** Includes thinking. */
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` that is cached for an hour, which costs more than caching for minutes. */
  readonly cacheWriteLongTokens?: number | undefined;
  /** The cost that the agent recorded for the answer. */
  readonly costUsd?: number | undefined;
}

/**
 * Receives what a reader finds, in the order of the file. Must not throw.
 *
 * One file may contain several runs, even interleaved, and one run may span several files. So each call names its run.
 * Runs of different agents may share a name.
 */
export interface TranscriptSink {
  /** Called before the first event of a run, and again when more is known. Later facts add to earlier ones. */
  session(run: string, facts: SessionFacts): void;
  /** An event of a run, and its time in milliseconds since 1970 if it is recorded. */
  event(run: string, event: AgentEvent, at?: number): void;
  /** The usage of a model answer. Called once for each answer, after its `round` event and before the next one. */
  usage(run: string, usage: TranscriptUsage): void;
  /** The file contains no more of this run. */
  end(run: string): void;
}

/** The location of a transcript. */
export interface TranscriptSource {
  readonly path: string;
  /**
   * Whether another file exists. Must not throw.
   * @default none does
   */
  readonly hasFile?: ((path: string) => boolean) | undefined;
}

/** Reads the records of one file in order. */
export interface TranscriptParser {
  /**
   * Takes one JSON value: a line, or the whole file if it is a single JSON document. It may be any value.
   *
   * Returns false if the record is malformed. Records of unknown kinds are not malformed.
   */
  record(value: unknown): boolean;
  /** Called at the end of the file. Ends all open runs. */
  end(): void;
}

/** What could not be read. */
export interface SkippedRecords {
  readonly malformed: number;
  readonly tooLong: number;
}

/** Turns one agent's files into events. It has no state: each file gets its own parser. */
export interface TranscriptReader {
  /** The agent's name on a command line, in lower-case words with hyphens. */
  readonly agent: string;
  /** The agent's name for people. */
  readonly label: string;
  /** The extensions of its files, in lower case and with the dot. Other files are ignored. */
  readonly extensions: readonly string[];
  /**
   * `lines` is one JSON value per line. `any` may also be one JSON document over many lines, which is read at once.
   * @default "lines"
   */
  readonly layout?: "lines" | "any";
  /** The folders and files where this agent keeps its transcripts. They may not exist. */
  roots(environment: TranscriptEnvironment): readonly string[];
  /**
   * Whether a file belongs to this agent. `head` is the first 4096 bytes as text. If no reader recognises those, it is
   * called again with the beginnings of the first lines. Must be fast, and must not throw.
   */
  isMine(path: string, head: string): boolean;
  /**
   * Whether this agent wrote a file in a format that is no longer read. Asked about files that no reader recognises, so
   * that the scan can count them.
   * @default none
   */
  wasMine?(head: string): boolean;
  /**
   * Whether a file is read together with another one and not by itself, judged by its path alone.
   * @default never
   */
  isPart?(path: string): boolean;
  /**
   * Whether a file in the agent's own folders is known not to be a transcript, judged by its path alone. It is then
   * ignored there.
   * @default never
   */
  isOther?(path: string): boolean;
  /**
   * Other files and folders that are read together with a file. If one of them changes, the file counts as changed.
   * @default none
   */
  companions?(path: string): readonly string[];
  /** Creates the parser for a file. */
  open(source: TranscriptSource, sink: TranscriptSink): TranscriptParser;
  /** Reads the file itself, instead of `open`. For files that are not JSON, or that refer to other files. */
  readFile?(source: TranscriptSource, sink: TranscriptSink): Promise<SkippedRecords>;
}
