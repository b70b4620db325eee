import type { HookHost } from "../hook/dialect.ts";
import type { CommandShell } from "./hook-command.ts";

/** Where agents are looked for. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** The hook that is to be wired. */
interface WiredHook {
  /** Its command for a shell. */
  command(shell: CommandShell): string;
  /** How long the agent is to wait for it at most. */
  readonly seconds: number;
}

/** Hooks that are put among others, into a file that others write to. */
export interface SharedFile {
  readonly type: "shared";
  readonly path: string;
  /** What is put behind the last hook of each event. */
  readonly hooks: Readonly<Record<string, HookEntry>>;
  /** The command of a status line, for who wants one. */
  readonly statusLine?: string;
}

/** One entry of an event, as Claude Code and its relatives know it. */
export interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly Readonly<Record<string, unknown>>[];
}

/** A file that is nobody's but ours. */
export interface OwnFile {
  readonly type: "own";
  readonly path: string;
  readonly text: string;
  readonly isProgram: boolean;
}

/** How one agent is told of a hook. */
export interface AgentWiring {
  readonly host: HookHost;
  readonly label: string;
  /** The name of its program. */
  readonly program: string;
  /** Whether it loads no settings with comments. */
  readonly isStrict?: boolean;
  /** The folder of its settings, which is there where the agent is. */
  folder(place: AgentPlace): string;
  /** What is to stand in which files. Throws a `UsageError` where it cannot be wired. */
  files(place: AgentPlace, hook: WiredHook): readonly (SharedFile | OwnFile)[];
  /** What its user must know. */
  notes(place: AgentPlace): readonly string[];
}
