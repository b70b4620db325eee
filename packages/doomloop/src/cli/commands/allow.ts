import { rmSync } from "node:fs";
import { countAllowed } from "../../agents/hook/count-nudges.ts";
import { readFolderRules, rulesFile, type SavedRules, savedRules, writeRules } from "../../agents/hook/folder-rules.ts";
import { currentSetting, shownPath, type WiringSetting } from "../../agents/settings/agent-place.ts";
import { readHookTally } from "../../scan/read-hook-tally.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, WIDE } from "../terminal/output.ts";
import { timeAgo } from "../terminal/time-ago.ts";

export interface AllowOptions {
  readonly tool?: readonly string[];
  readonly project?: boolean;
  readonly list?: boolean;
  readonly undo?: boolean;
}

/** What is allowed in a folder. */
interface Allowed {
  readonly isOff: boolean;
  readonly tools: readonly string[];
  readonly allowedAt: number | undefined;
}

const LATELY_MS = 7 * 86_400_000;
const MAX_TOOLS = 200;
const MAX_NAME = 200;

/** Marks something as a false alarm for the hooks in this folder. Returns the exit code. */
export async function allow(options: AllowOptions, streams: CommandStreams): Promise<number> {
  const setting = currentSetting();
  const before = allowedIn(setting);
  const width = streams.width ?? WIDE;
  if (options.list === true) {
    await streams.output.write(listOf(before, setting, width));
    return 0;
  }
  const tools = options.tool ?? [];
  for (const tool of tools) {
    if (tool === "" || tool.length > MAX_NAME) throw new UsageError("--tool: the name of a tool is required");
  }
  const after = options.undo === true ? withoutSome(before, options) : withMore(before, options);
  if (after.tools.length > MAX_TOOLS) throw new UsageError(`at most ${MAX_TOOLS} tools can be ignored in a folder`);
  save(after, setting);
  const isSpoken = hasSpoken(setting.state);
  if (isSpoken && options.undo !== true && after.allowedAt !== before.allowedAt) countFalseAlarm(setting.state);
  streams.messages.write(`${wrapText(doneWords(options, isSpoken), width)}\n`);
  return 0;
}

function withMore(before: Allowed, { tool = [], project }: AllowOptions): Allowed {
  const isLatest = tool.length === 0 && project !== true;
  return {
    isOff: before.isOff || project === true,
    tools: [...new Set([...before.tools, ...tool])],
    allowedAt: isLatest ? Date.now() : before.allowedAt,
  };
}

/** Without options, everything is removed. */
function withoutSome(before: Allowed, { tool = [], project }: AllowOptions): Allowed {
  if (tool.length === 0 && project !== true) return { isOff: false, tools: [], allowedAt: undefined };
  return {
    isOff: before.isOff && project !== true,
    tools: before.tools.filter((name) => !tool.includes(name)),
    allowedAt: before.allowedAt,
  };
}

function save({ isOff, tools, allowedAt }: Allowed, { state, folder }: WiringSetting): void {
  const rules: SavedRules = {
    version: 1,
    ...(isOff && { isOff }),
    ...(tools.length > 0 && { tools }),
    ...(allowedAt !== undefined && { allowedAt }),
  };
  if (Object.keys(rules).length === 1) rmSync(rulesFile(state, folder), { force: true });
  else writeRules(state, folder, rules);
}

/** Whether a hook recently said anything that could be a false alarm. */
function hasSpoken(state: string): boolean {
  const tally = readHookTally(state, { since: Date.now() - LATELY_MS, until: undefined });
  return tally !== undefined && tally.words + tally.questions + tally.refusals + tally.ends > 0;
}

/** The rule applies even if it cannot be counted. */
function countFalseAlarm(state: string): void {
  try {
    countAllowed(state, Date.now());
  } catch {
    // The disk is full, or we may not write.
  }
}

function allowedIn({ state, folder }: WiringSetting): Allowed {
  const { isOff, tools, allowedAt } = readFolderRules(savedRules(state, folder));
  return { isOff, tools: Object.keys(tools), allowedAt };
}

function doneWords({ tool = [], project, undo }: AllowOptions, isSpoken: boolean): string {
  const names = tool.map(printable).join(", ");
  if (undo === true) {
    if (tool.length > 0) return `Calls of ${names} count again in this folder.`;
    return project === true ? "Hooks speak again in this folder." : "Nothing is allowed in this folder any more.";
  }
  if (tool.length > 0) return `Calls of ${names} do not count in this folder any more. --undo takes that back.`;
  if (project === true) return "Hooks say nothing in this folder any more. --undo takes that back.";
  if (!isSpoken)
    return "No hook has spoken in the last 7 days, so this counts as no false alarm. It holds from the agent's next step on.";
  return "The latest loop in this folder is none, from the agent's next step on.";
}

function listOf({ isOff, tools, allowedAt }: Allowed, { folder, place }: WiringSetting, width: number): string {
  const lines = [
    ...(isOff ? ["Hooks say nothing."] : []),
    ...(tools.length > 0 ? [`Not counted: ${tools.map(printable).join(", ")}.`] : []),
    ...(allowedAt === undefined ? [] : [`The latest loop was allowed ${timeAgo(allowedAt, Date.now())}.`]),
  ];
  const shown = shownPath(folder, place);
  if (lines.length === 0) return `Nothing is allowed in ${shown}.\n`;
  const indented = lines.map((line) => `  ${wrapText(line, width - 2).replaceAll("\n", "\n  ")}`);
  return `${[`In ${shown}:`, ...indented].join("\n")}\n`;
}
