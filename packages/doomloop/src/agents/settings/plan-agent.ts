import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace, AgentWiring, OwnFile, SharedFile } from "./agent-settings.ts";
import { type CommandShell, hookCommand, slashed } from "./hook-command.ts";
import type { InstalledHook } from "./installed-hook.ts";
import { type Change, isChanged, planWiring } from "./plan-change.ts";
import type { Receipt } from "./receipts.ts";

/** What one agent is to be told, or why it cannot be. */
export interface AgentPlan {
  readonly agent: AgentWiring;
  /** The commands that its files will hold. */
  readonly commands: readonly string[];
  /** None where there is a fault: half a wiring is none. */
  readonly changes: readonly Change[];
  readonly faults: readonly WiringFault[];
}

interface WiringFault {
  readonly reason: string;
  /** The file that somebody can edit instead, and what belongs there. */
  readonly file?: SharedFile | OwnFile;
}

export interface PlanAgentOptions {
  readonly place: AgentPlace;
  readonly hook: InstalledHook;
  readonly isUnattended: boolean;
  readonly startsOver: boolean;
  readonly receipts: ReadonlyMap<string, Receipt>;
  /** Whether a status line is asked for, where the agent has one. */
  readonly statusLine: boolean;
}

/** A hook ends by itself long before. */
const SECONDS = 5;
const SECONDS_WITH_FILES = 30;

/** Finds out what wiring an agent would change. Writes nothing. */
export function planAgent(agent: AgentWiring, options: PlanAgentOptions): AgentPlan {
  const { place, hook, isUnattended, startsOver, receipts, statusLine } = options;
  const commands = new Set<string>();
  const commandFor = (shell: CommandShell): string => {
    const pathOf = (path: string): string => (shell === "posix" ? slashed(path, place.platform) : path);
    const paths = { node: pathOf(hook.node), program: pathOf(hook.program) };
    const command = hookCommand({ ...paths, host: agent.host, isUnattended, startsOver }, shell);
    commands.add(command);
    return command;
  };
  const wired = { command: commandFor, seconds: startsOver ? SECONDS_WITH_FILES : SECONDS };
  const changes: Change[] = [];
  const faults: WiringFault[] = [];
  noting(faults, undefined, () => {
    for (const file of agent.files(place, wired)) {
      noting(faults, file, () => {
        const change = planWiring(file, (path) => receipts.get(path), { statusLine });
        if (isChanged(change)) changes.push(change);
      });
    }
  });
  return { agent, commands: [...commands], changes: faults.length > 0 ? [] : changes, faults };
}

function noting(faults: WiringFault[], file: WiringFault["file"], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    faults.push({ reason: error.message, ...(file && { file }) });
  }
}
