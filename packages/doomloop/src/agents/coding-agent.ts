import type { TranscriptReader } from "../transcripts/reader.ts";
import type { AgentDoctor } from "./doctor/agent-doctor.ts";
import type { Dialect } from "./hook/dialect.ts";
import type { AgentSettings } from "./settings/agent-settings.ts";

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
  /**
   * What it does not let a hook do, so that nobody waits for it. Each completes "cannot ...".
   * @default nothing
   */
  readonly cannot?: readonly string[];
  /**
   * Keeps it from starting the next turn by itself, if no answer of a hook does that. Resolves to whether that worked, and never rejects.
   */
  halt?(session: string, wired: readonly WiredPlace[]): Promise<boolean>;
  /** How it asks over HTTP, for agents that can. */
  readonly http?: HttpHook;
}

/** Where `init` has wired the hook of an agent. */
export interface WiredPlace {
  /** The folder of the agent's settings. */
  readonly folder: string;
  /** The agent's program, if it was on the path. */
  readonly program?: string | undefined;
}

/** What several agents do not let a hook do. */
export const CANNOT = {
  end: "end a run: the calls of a loop stay refused",
  hearRejected: "see calls that the agent itself rejects, such as those with wrong arguments",
  knowAttendance: "know whether somebody is watching: doomloop mode unattended sets that for a project",
} as const;

export interface HookedAgent extends CodingAgent {
  readonly hook: Dialect;
}

export interface WirableAgent extends HookedAgent {
  readonly settings: AgentSettings;
}

/** What `serve` prints for an agent that can ask over HTTP. */
interface HttpHook {
  /** The file that the settings belong in, as people write it. */
  readonly file: string;
  readonly events: readonly string[];
}
