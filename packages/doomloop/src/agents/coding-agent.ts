import type { TranscriptReader } from "../transcripts/reader.ts";
import type { AgentDoctor } from "./doctor/agent-doctor.ts";
import type { Dialect } from "./hook/dialect.ts";
import type { AgentSettings } from "./settings/agent-settings.ts";

declare global {
  /**
   * Defined only in the bundle of the hook program, which starts at every event of an agent. It needs nothing but the hooks, so each agent
   * leaves out its other parts there.
   */
  var HOOK_PROGRAM: true | undefined;
}

/** Everything that doomloop knows about one coding agent. Each agent has a folder and a line in `index.ts`. */
export interface CodingAgent {
  /** Its name on a command line and on the disk: `claude-code`. */
  readonly name: string;
  /** Its name for people: `Claude Code`. */
  readonly label: string;
  /** What its hook is told, and how the hook answers. */
  readonly hook?: Dialect;
  /** How `init` adds the hook to its settings. */
  readonly settings?: AgentSettings;
  /** How its transcripts are read. */
  readonly reader?: TranscriptReader;
  /** What `doctor` tries. */
  readonly doctor?: AgentDoctor;
  /** How it asks over HTTP, for agents that can. */
  readonly http?: HttpHook;
}

export interface HookedAgent extends CodingAgent {
  readonly hook: Dialect;
}

export interface WirableAgent extends CodingAgent {
  readonly settings: AgentSettings;
}

/** What `serve` prints for an agent that can ask over HTTP. */
export interface HttpHook {
  /** The file that the settings belong in, as people write it. */
  readonly file: string;
  readonly events: readonly string[];
  /**
   * Headers that say what the agent's environment holds: the name of each with that of its variable.
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
}
