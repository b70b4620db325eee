import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import { hasClaudePlugin } from "../claude-code/claude-plugin.ts";
import { tryPlugin } from "../opencode/try-plugin.ts";
import type { AgentWiring } from "../settings/agent-settings.ts";
import { findProgram } from "../settings/find-program.ts";
import { isForUnattended } from "../settings/hook-command.ts";
import type { Receipt } from "../settings/receipts.ts";
import type { WiringSetting } from "../settings/setting.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";
import { strictJsonFault } from "../settings/strict-json-fault.ts";
import { type KnownTrust, knownTrust } from "./known-trust.ts";
import { type ProcessRunner, runProcess } from "./run-process.ts";
import { shellCall } from "./shell-call.ts";
import { stateFaults } from "./state-faults.ts";
import { type LoopTrial, tryLoop } from "./try-loop.ts";
import { PLUGIN, type WiredCommand, wiredCommands } from "./wired-commands.ts";

/** What is known of one wired agent. */
export interface Examination {
  readonly agent: AgentWiring;
  readonly files: readonly string[];
  readonly isUnattended: boolean;
  readonly version: string | undefined;
  readonly trial: LoopTrial | undefined;
  readonly trust: KnownTrust | undefined;
  /** Whether the agent has our plugin, too. */
  readonly hasPlugin: boolean;
  readonly faults: readonly string[];
}

/** Tries the hooks of one agent, in a state folder and a working folder of their own, and looks at the state folder that they use. */
export async function examineAgent(
  agent: AgentWiring,
  receipts: readonly Receipt[],
  { place, folder, state }: WiringSetting,
  run?: ProcessRunner,
): Promise<Examination> {
  const commands: WiredCommand[] = [];
  const faults: string[] = [];
  for (const receipt of receipts) {
    try {
      const found = wiredCommands(receipt, place.platform);
      // Only what init wrote is run: another command may be anybody's.
      const own = found.filter(({ command }) => receipt.commands.includes(command));
      if (own.length < found.length || own.length === 0) {
        faults.push(`${receipt.path} is not as init left it; doomloop init repairs it`);
      }
      commands.push(...own);
      const unread = strictJsonFault(agent, textOfSettings(readSettings(receipt.path)) ?? "");
      if (unread !== undefined) faults.push(unread);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error.message);
    }
  }
  const isUnattended = commands.some(({ command }) => isForUnattended(command));
  const sandbox = mkdtempSync(join(tmpdir(), "doomloop-doctor-"));
  try {
    const env = { ...place.env, XDG_STATE_HOME: join(sandbox, "state") };
    const programOf = (event: string) => {
      const wired = commands.find((command) => command.event === event);
      return wired && shellCall(agent.host, wired, place, folder);
    };
    const [first] = commands;
    const settings = { cwd: sandbox, env };
    const trial =
      first &&
      (await (first.event === PLUGIN
        ? tryPlugin({ ...settings, module: first.file })
        : tryLoop({ ...settings, run, host: agent.host, programOf })));
    const trust = knownTrust(agent.host, receipts[0]?.path ?? "", place);
    return {
      agent,
      files: receipts.map(({ path }) => path),
      isUnattended,
      version: await versionOf(agent, { place, folder, state: sandbox }),
      trial,
      trust,
      hasPlugin: agent.host === "claude-code" && hasClaudePlugin(place),
      faults: [...faults, ...(trial ? faultsOf(trial, isUnattended) : []), ...stateFaults(state)],
    };
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

function faultsOf({ fault, nudge, block }: LoopTrial, isUnattended: boolean): readonly string[] {
  if (fault !== undefined) return [`the hook does not run: ${fault}`];
  if (nudge === undefined) return ["the hook runs, but says nothing of a loop"];
  if (isUnattended && block === undefined) return ["the hook is unattended, but refuses nothing"];
  return !isUnattended && block !== undefined ? ["the hook refuses a call although somebody is at the desk"] : [];
}

async function versionOf(agent: AgentWiring, { place, folder, state }: WiringSetting): Promise<string | undefined> {
  const file = findProgram(agent.program, place, folder);
  // A batch file needs a shell.
  if (file === undefined || file.endsWith(".cmd")) return undefined;
  const { stdout } = await runProcess({ file, words: ["--version"], cwd: state, env: place.env });
  return /\b\d{1,5}\.\d{1,5}[\w.+-]{0,40}/.exec(stdout.slice(0, 2000))?.[0];
}
