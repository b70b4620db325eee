import { changeDiff } from "../reporters/change-diff.ts";
import { confirm } from "../terminal/confirm.ts";
import { printable } from "../terminal/printable.ts";
import { createStyle } from "../terminal/style.ts";
import { wrapList, wrapText } from "../terminal/wrap.ts";
import { UsageError } from "../usage-error.ts";
import type { AgentWiring, OwnFile, SharedFile } from "../wiring/agents/agent-wiring.ts";
import { carryOutWiring } from "../wiring/carry-out-change.ts";
import { chooseAgents } from "../wiring/choose-agents.ts";
import { type CommandShell, hookCommand, slashed } from "../wiring/hook-command.ts";
import { installedHook } from "../wiring/installed-hook.ts";
import { type Change, isChanged, planWiring } from "../wiring/plan-change.ts";
import { type Receipt, readReceipts } from "../wiring/receipts.ts";
import { currentSetting, shownPath } from "../wiring/setting.ts";
import { addHooks } from "../wiring/shared-hooks.ts";
import type { CommandStreams } from "./replay.ts";

export interface InitOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly unattended?: boolean;
}

const WIDE = 120;

/** What one agent is to be told, or why it cannot be. */
interface AgentPlan {
  readonly agent: AgentWiring;
  readonly commands: readonly string[];
  readonly changes: readonly Change[];
  readonly faults: readonly { readonly reason: string; readonly byHand: string }[];
}

/** Wires the hook into coding agents, after showing what that changes. Returns the exit code. */
export async function init(names: readonly string[], options: InitOptions, streams: CommandStreams): Promise<number> {
  const { place, state, folder } = currentSetting();
  const agents = chooseAgents(names, place, folder);
  if (agents.length === 0) throw new UsageError("no coding agent found here; name one: doomloop init claude-code");
  const receipts = new Map(readReceipts(state).map((receipt) => [receipt.path, receipt]));
  const hook = installedHook();
  const plans = agents.map((agent) => {
    const commands = new Set<string>();
    const commandFor = (shell: CommandShell): string => {
      const paths = shell === "posix" ? [hook.node, hook.program].map((path) => slashed(path, place.platform)) : [];
      const [node = hook.node, program = hook.program] = paths;
      const words = { node, program, host: agent.host, isUnattended: options.unattended === true };
      const command = hookCommand(words, shell);
      commands.add(command);
      return command;
    };
    return planAgent(agent, () => agent.files(place, commandFor), commands, receipts);
  });

  const width = streams.width ?? WIDE;
  const style = createStyle({ isTTY: streams.width !== undefined }, process.env);
  for (const { agent, changes, faults } of plans) {
    const isDone = faults.length === 0 && !changes.some(isChanged);
    await streams.output.write(`${style.strong(agent.label)}${isDone ? ": already wired" : ""}\n`);
    for (const { file, after } of changes.filter(isChanged)) {
      const lines = changeDiff(shownPath(file.path, place), file.bytes, after, style);
      await streams.output.write(`${lines.join("\n")}\n`);
    }
    for (const { reason, byHand } of faults) {
      await streams.output.write(`${wrapText(style.alarm(printable(reason)), width)}\n${byHand}`);
    }
    if (!isDone) await streams.output.write("\n");
  }

  const open = plans.filter(({ changes }) => changes.some(isChanged));
  const exitCode = plans.some(({ faults }) => faults.length > 0) ? 1 : 0;
  if (open.length === 0 || options.dryRun === true) return exitCode;
  if (options.yes !== true) {
    if (streams.input.isTTY !== true) throw new UsageError("nobody can be asked here; --yes writes without a question");
    if (!(await confirm("Write this?"))) {
      streams.messages.write("Nothing was written.\n");
      return 1;
    }
  }
  for (const { agent, commands, changes } of open) {
    for (const change of changes.filter(isChanged)) {
      const receipt = receipts.get(change.file.path);
      carryOutWiring(change, { state, host: agent.host, commands, receipt });
    }
  }
  const say = (text: string): boolean => streams.messages.write(`${wrapText(text, width)}\n`);
  say(
    `Wired: ${wrapList(
      open.map(({ agent }) => agent.label),
      width,
    )}.`,
  );
  for (const { agent } of open) for (const note of agent.notes(place)) say(`${agent.label}: ${note}`);
  say("doomloop doctor tries it, doomloop uninstall takes it out.");
  return exitCode;
}

function planAgent(
  agent: AgentWiring,
  filesOf: () => readonly (SharedFile | OwnFile)[],
  commands: ReadonlySet<string>,
  receipts: ReadonlyMap<string, Receipt>,
): AgentPlan {
  const changes: Change[] = [];
  const faults: { reason: string; byHand: string }[] = [];
  const guarded = (work: () => void, byHand: string): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push({ reason: error.message, byHand });
    }
  };
  guarded(() => {
    for (const file of filesOf()) {
      guarded(() => void changes.push(planWiring(file, (path) => receipts.get(path))), byHandOf(file));
    }
  }, "");
  // Half a wiring is none: an agent whose files cannot all be written is left alone.
  return { agent, commands: [...commands], changes: faults.length > 0 ? [] : changes, faults };
}

/** What somebody can add with an editor. */
function byHandOf(file: SharedFile | OwnFile): string {
  if (file.type === "own") return `To be written by hand:\n${file.text}`;
  const lines = addHooks("", file.hooks)!.text.split("\n");
  return `To be added by hand:\n${lines.map(printable).join("\n")}`;
}
