import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { WirableAgent } from "../coding-agent.ts";
import { findProgram, isPackage, type WiringSetting } from "../settings/agent-place.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { choiceIn, type HookChoice } from "../settings/hook-command.ts";
import { childOf, parseJsonText } from "../settings/json-text.ts";
import { strictJsonFault } from "../settings/plan-agent.ts";
import { readSettings, textIn, textOfSettings } from "../settings/settings-file.ts";
import type { WiredFile } from "../settings/wired-files.ts";
import type { KnownTrust, ProgramStart, WiredCommand } from "./agent-doctor.ts";
import { programFault, tryWithResident } from "./resident-trial.ts";
import { stateFaults } from "./state-faults.ts";
import { type LoopTrial, type ProcessRunner, runProcess, tryLoop } from "./try-loop.ts";
import { wiredCommands } from "./wired-commands.ts";

/** What `doctor` found out about one wired agent. */
export interface Examination {
  readonly agent: WirableAgent;
  readonly files: readonly string[];
  /** Whether somebody watches, if a person said so. */
  readonly mode: HookChoice["mode"];
  /** Of its program, if that is on the path. */
  readonly version: string | undefined;
  /** Whether its program is a package of the project, which is not run. */
  readonly isPackage: boolean;
  readonly trial: LoopTrial | undefined;
  readonly trust: KnownTrust | undefined;
  /** Whether the agent has our plugin, too. */
  readonly hasPlugin: boolean;
  readonly faults: readonly string[];
}

/** Tries the hooks of one agent in a temporary working folder, and checks the state folder. The resident keeps nothing of a trial. */
export async function examineAgent(
  agent: WirableAgent,
  files: readonly WiredFile[],
  { place, folder, state }: WiringSetting,
  run?: ProcessRunner,
): Promise<Examination> {
  const { commands, faults } = commandsOf(agent, files, place);
  const [first] = commands;
  const { mode } = choiceIn(first?.command ?? "");
  const isUnattended = mode === "unattended";
  const sandbox = mkdtempSync(join(tmpdir(), "doomloop-doctor-"));
  try {
    const settings = { cwd: sandbox, env: place.env };
    const programOf = (event: string): ProgramStart | undefined => {
      const wired = commands.find((command) => command.event === event);
      return wired && (agent.doctor?.startOf ?? startInShell)(wired, place, folder);
    };
    const tryPlugin = agent.doctor?.tryPlugin;
    const attempt = ({ file }: WiredCommand): Promise<LoopTrial> =>
      tryPlugin?.({ ...settings, module: file }) ?? tryLoop({ ...settings, run, agent, programOf });
    const { trial, faults: absence } = first ? await tryWithResident(state, () => attempt(first)) : NO_TRIAL;
    const programs = first ? await programFault(first, settings) : [];
    const causes = programs.length > 0 ? programs : absence;
    return {
      agent,
      files: files.map(({ path }) => path),
      mode,
      version: await versionOf(agent, { place, folder, state: sandbox }),
      isPackage: isPackage(agent.settings.program, folder),
      trial,
      trust: (agent.doctor?.trustOf ?? switchedOff)(files[0]?.path ?? "", place),
      hasPlugin: agent.doctor?.ownPlugin?.isOn(place) === true,
      faults: [
        ...faults,
        ...(causes.length === 0 && trial ? faultsOf(trial, isUnattended) : causes),
        ...stateFaults(state),
      ],
    };
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

const NO_TRIAL = { trial: undefined, faults: [] };

interface FoundCommands {
  readonly commands: readonly WiredCommand[];
  readonly faults: readonly string[];
}

/** The commands that `init` wrote and that are still there. Others may be anybody's, and are not run. */
function commandsOf(agent: WirableAgent, files: readonly WiredFile[], place: AgentPlace): FoundCommands {
  const commands: WiredCommand[] = [];
  const faults: string[] = [];
  for (const file of files) {
    try {
      const found = wiredCommands(agent, file.path, place.platform);
      const own = found.filter(({ command }) => file.commands.includes(command));
      if (own.length < found.length || own.length === 0) {
        faults.push(`${file.path} is not as init left it; doomloop init repairs it`);
      }
      commands.push(...own);
      const unread = strictJsonFault(agent, textOfSettings(readSettings(file.path)) ?? "");
      if (unread !== undefined) faults.push(unread);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error.message);
    }
  }
  return { commands, faults };
}

function startInShell({ command }: WiredCommand, { platform }: AgentPlace): ProgramStart {
  return platform === "win32"
    ? { file: "powershell.exe", words: ["-NoProfile", "-NonInteractive", "-Command", command] }
    : { file: "/bin/sh", words: ["-c", command] };
}

/** Reports a setting that turns all hooks off. */
function switchedOff(path: string): KnownTrust | undefined {
  const root = parseJsonText(textIn(path));
  const isOff = (words: string): KnownTrust => ({ words: `${words}: no hook runs.`, isFault: true });
  if (childOf(root, "disableAllHooks")?.value === true) return isOff("disableAllHooks is true");
  if (childOf(childOf(root, "hooksConfig"), "enabled")?.value === false) return isOff("hooksConfig.enabled is false");
  return childOf(childOf(root, "tools"), "enableHooks")?.value === false
    ? isOff("tools.enableHooks is false")
    : undefined;
}

function faultsOf({ fault, nudge, block }: LoopTrial, isUnattended: boolean): readonly string[] {
  if (fault !== undefined) return [`the hook does not run: ${fault}`];
  if (nudge === undefined) return ["the hook runs, but does not report a loop"];
  if (isUnattended && block === undefined) return ["the hook is unattended, but refuses no call"];
  return !isUnattended && block !== undefined ? ["the hook refuses a call although somebody is watching"] : [];
}

async function versionOf({ settings }: WirableAgent, where: WiringSetting): Promise<string | undefined> {
  const { place, folder, state } = where;
  const file = findProgram(settings.program, place, folder);
  // A batch file needs a shell.
  if (file === undefined || file.endsWith(".cmd")) return undefined;
  const { stdout } = await runProcess({ file, words: ["--version"], cwd: state, env: place.env });
  return /\b\d{1,5}\.\d{1,5}[\w.+-]{0,40}/.exec(stdout.slice(0, 2000))?.[0];
}
