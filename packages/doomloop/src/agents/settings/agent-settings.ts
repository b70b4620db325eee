import type { CommandShell } from "./hook-command.ts";

/** Events about a single call. A hook could limit these to certain tools; ours asks for all. */
const ABOUT_CALLS = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure", "BeforeTool", "AfterTool"]);

/**
 * Variables that make a shell, the system's loader, Node or .NET run code of somebody else before our command begins. Some agents load
 * the `.env` of a repository, and their hooks inherit it. These values take precedence there, and an empty one has no effect.
 */
export const HARMLESS_ENVIRONMENT: Readonly<Record<string, string>> = {
  // An outermost bash that gets its input over a socket takes itself for a remote shell, and runs the `.bashrc` of `HOME`.
  SHLVL: "2",
  ...emptied([
    ...["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4"],
    ...["LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "GCONV_PATH", "LOCPATH"],
    ...["DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"],
    ...["NODE_OPTIONS", "OPENSSL_CONF"],
    ...["COR_ENABLE_PROFILING", "CORECLR_ENABLE_PROFILING", "DOTNET_STARTUP_HOOKS"],
  ]),
};

function emptied(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** The machine and user whose agents are looked for. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/** The hook that is added to an agent's settings. */
interface WiredHook {
  /** Its command for a shell, or the one for a status line. */
  command(shell: CommandShell, isStatusLine?: boolean): string;
  /** How long the agent waits for it at most. */
  readonly seconds: number;
}

/** Hooks that are added to a file which others also write to. */
export interface SharedFile {
  readonly type: "shared";
  readonly path: string;
  /** The entry that is added after the last one of each event. */
  readonly hooks: Readonly<Record<string, HookEntry>>;
  /** The command of a status line, for people who ask for one. */
  readonly statusLine?: string;
}

/** A command with its options. */
type HookHandler = Readonly<Record<string, unknown>>;

/** An entry of an event, in the layout that several agents share. */
export interface HookEntry {
  readonly matcher?: string;
  readonly hooks: readonly HookHandler[];
}

/** A file that only we write. */
export interface OwnFile {
  readonly type: "own";
  readonly path: string;
  readonly text: string;
  readonly isProgram: boolean;
}

/** How the hook is added to one agent's settings. */
export interface AgentSettings {
  /** The name of the agent's program. */
  readonly program: string;
  /**
   * Whether the agent rejects settings that contain comments.
   * @default false
   */
  readonly isStrict?: boolean;
  /** The folder of its settings. It exists if the agent is installed. */
  folder(place: AgentPlace): string;
  /** What belongs in which files. Throws a `UsageError` if the agent cannot be wired. */
  files(place: AgentPlace, hook: WiredHook): readonly (SharedFile | OwnFile)[];
  /**
   * Whether a text is one of the files that only we write.
   * @default false
   */
  isOwnFile?(text: string): boolean;
  /** What its user must know. */
  notes(place: AgentPlace): readonly string[];
}

/** One entry for each event, all with the same handler. */
export function hookEntries(events: readonly string[], handler: HookHandler): Readonly<Record<string, HookEntry>> {
  return Object.fromEntries(
    events.map((event) => [event, { ...(ABOUT_CALLS.has(event) && { matcher: "*" }), hooks: [handler] }]),
  );
}
