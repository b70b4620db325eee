import type { AgentPlace } from "../settings/agent-settings.ts";
import type { LoopTrial, ProgramCall } from "./try-loop.ts";

/** What `doctor` needs to know about an agent to try its hooks. */
export interface AgentDoctor {
  /**
   * What the agent tells its hooks in one lap of a loop: the same call with the same result.
   * @default nothing: it has a plugin, which `tryPlugin` tries
   */
  sampleEvents?(lap: SampleLap): readonly SampleEvent[];
  /**
   * Our commands in one of the agent's files.
   * @default those in the layout of shared hooks
   */
  commandsIn?(text: string, path: string, platform: NodeJS.Platform): readonly EventCommand[];
  /**
   * How the agent starts a command. Undefined if the shell that it needs is missing.
   * @default with `/bin/sh`, or PowerShell on Windows
   */
  startOf?(command: WiredCommand, place: AgentPlace, folder: string): ProgramStart | undefined;
  /**
   * What keeps the agent from running the hooks in a file, if it can be seen from outside.
   * @default the switches that turn all hooks off
   */
  trustOf?(path: string, place: AgentPlace): KnownTrust | undefined;
  /** Tries a plugin that the agent loads into its own process. Agents with a plugin have no sample events. */
  tryPlugin?(options: PluginTrialOptions): Promise<LoopTrial>;
  /** A plugin of ours that the agent installs itself, besides what `init` writes. */
  readonly ownPlugin?: OwnPlugin;
  /** Where the agent puts our question to a person, for agents that can. */
  readonly asksWhere?: string;
}

export interface SampleLap {
  readonly session: string;
  readonly cwd: string;
  /** Index of the lap, from 0. */
  readonly at: number;
}

export interface SampleEvent {
  /** The event's name in the agent's settings. */
  readonly event: string;
  readonly input: object;
  /** Whether it follows the call. A refused call has no such event. */
  readonly isResult: boolean;
}

interface EventCommand {
  readonly event: string;
  readonly command: string;
}

/** A command of ours in an agent's settings. */
export interface WiredCommand extends EventCommand {
  readonly file: string;
}

export type ProgramStart = Pick<ProgramCall, "file" | "words">;

/** What keeps an agent from running the hooks in its settings. */
export interface KnownTrust {
  readonly words: string;
  /** Whether it certainly runs none of them. */
  readonly isFault: boolean;
}

export interface PluginTrialOptions extends Pick<ProgramCall, "cwd" | "env"> {
  /** The file that the agent loads. */
  readonly module: string;
}

interface OwnPlugin {
  isOn(place: AgentPlace): boolean;
  /** The agent's command that shows the plugin. */
  readonly command: string;
}

/** The call and the result of every lap. */
export const SAMPLE_COMMAND = { command: "cat notes.md" };
export const SAMPLE_OUTPUT = "nothing found";

/**
 * The field of an event that belongs to a trial: its time, in milliseconds since 1970. The resident answers it from a memory of its own,
 * neither logs nor saves it, and lets the time of the trial pass instead of its own.
 */
export const TRIAL_FIELD = "doomloop_trial_ms";

/** Where a trial puts that time for a plugin, whose events it does not write itself. */
export const TRIAL_TIME = Symbol.for("doomloop.trial-ms");
