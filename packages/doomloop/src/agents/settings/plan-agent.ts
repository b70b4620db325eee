import { statSync } from "node:fs";
import { UsageError } from "../../system/usage-error.ts";
import { jsonIn } from "../../transcripts/foreign-value.ts";
import type { WirableAgent } from "../coding-agent.ts";
import { WIRABLE_AGENTS } from "../index.ts";
import { findProgram } from "./agent-place.ts";
import type { AgentPlace, OwnFile, SharedFile } from "./agent-settings.ts";
import { type CommandShell, type HookChoice, hookCommand, type InstalledHook, slashed } from "./hook-command.ts";
import { type Change, isChanged, planWiring } from "./settings-change.ts";

const NAMES = WIRABLE_AGENTS.map(({ name }) => name).join(", ");

/** The agents that were named, or all that are installed. Throws a `UsageError` for an unknown name. */
export function chooseAgents(names: readonly string[], place: AgentPlace, folder: string): readonly WirableAgent[] {
  if (names.length === 0) return WIRABLE_AGENTS.filter((agent) => isInstalled(agent, place, folder));
  return [...new Set(names)].map((chosen) => {
    const agent = WIRABLE_AGENTS.find(({ name, settings }) => name === chosen || settings.program === chosen);
    if (agent === undefined) throw new UsageError(`unknown agent ${chosen}; choose from ${NAMES}`);
    return agent;
  });
}

/** An agent is installed if the folder of its settings exists, or its program is on the path. */
function isInstalled({ settings }: WirableAgent, place: AgentPlace, folder: string): boolean {
  const stats = statSync(settings.folder(place), { throwIfNoEntry: false });
  return stats?.isDirectory() === true || findProgram(settings.program, place, folder) !== undefined;
}

/** What would be written for one agent, or why nothing can be. */
export interface AgentPlan {
  readonly agent: WirableAgent;
  /** The commands that its files will contain. */
  readonly commands: readonly string[];
  /** Empty if there is a fault: an agent is wired completely or not at all. */
  readonly changes: readonly Change[];
  readonly faults: readonly WiringFault[];
  /** What was asked for and is not done. */
  readonly notes: readonly string[];
}

interface WiringFault {
  readonly reason: string;
  /** The file that a person can edit instead, with what belongs there. */
  readonly file?: SharedFile | OwnFile;
}

interface PlanAgentOptions extends HookChoice {
  readonly place: AgentPlace;
  readonly hook: InstalledHook;
  /** The folder of what hooks keep. */
  readonly state: string;
  /** Whether a status line is asked for. Not every agent has one. */
  readonly statusLine: boolean;
}

/** The hook ends by itself long before that. */
const SECONDS = 5;

/** Plans what wiring an agent would change. Writes nothing. */
export function planAgent(agent: WirableAgent, options: PlanAgentOptions): AgentPlan {
  const { place, hook, state, mode, startsOver, statusLine } = options;
  const commands = new Set<string>();
  const commandFor = (shell: CommandShell, isStatusLine = false): string => {
    const pathOf = (path: string): string => (shell === "posix" ? slashed(path, place.platform) : path);
    const paths = { node: pathOf(hook.node), folder: pathOf(hook.folder), state: pathOf(state) };
    const command = hookCommand({ ...paths, agent, mode, startsOver, isStatusLine }, shell);
    commands.add(command);
    return command;
  };
  const wired = { command: commandFor, seconds: SECONDS };
  const changes: Change[] = [];
  const faults: WiringFault[] = [];
  const notes: string[] = [];
  if (statusLine && agent.hook.readStatus === undefined) notes.push("it has no status line that doomloop can use");
  noting(faults, undefined, () => {
    for (const file of agent.settings.files(place, wired)) {
      noting(faults, file, () => {
        const change = planWiring(file, { statusLine });
        if (isChanged(change)) changes.push(change);
        if (change.note !== undefined) notes.push(change.note);
      });
    }
  });
  return { agent, commands: [...commands], changes: faults.length > 0 ? [] : changes, faults, notes };
}

function noting(faults: WiringFault[], file: WiringFault["file"], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    faults.push({ reason: error.message, ...(file && { file }) });
  }
}

/** Why an agent does not load settings that we can read; undefined if it does. */
export function strictJsonFault({ label, settings }: WirableAgent, text: string): string | undefined {
  if (settings.isStrict !== true || text.trim() === "") return undefined;
  return jsonIn(text.replace(/^\uFEFF/, "")) === undefined
    ? `${label} does not load settings with comments or a comma before a bracket, so no hook runs; remove the comments and trailing commas`
    : undefined;
}
