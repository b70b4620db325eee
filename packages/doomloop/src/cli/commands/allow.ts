import {
  type FolderRules,
  folderRules,
  MAX_TOOLS,
  projectOf,
  type ToolTreatment,
  writeRules,
} from "../../agents/hook/folder-rules.ts";
import { appendToLog, type LogEntry, readLog } from "../../agents/hook/intervention-log.ts";
import { currentSetting, shownPath, type WiringSetting } from "../../agents/settings/agent-place.ts";
import { isShell } from "../../core/hints/calls.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, confirm, widthFor } from "../terminal/output.ts";
import { timeAgo } from "../terminal/time-ago.ts";

export interface AllowOptions {
  readonly tool?: readonly string[];
  readonly as?: ToolTreatment;
  readonly project?: boolean;
  readonly list?: boolean;
  readonly undo?: boolean;
}

const IF_ANY = "If an agent is in a loop there, the loop is ignored from its next step on.";
const LATELY_MS = 7 * 86_400_000;
const MAX_NAME = 200;
/** So many allowed loops of one tool in one project are a habit. */
const HABIT = 3;
const HABIT_MS = 90 * 86_400_000;

/** Marks something as a false alarm for the hooks in this project. Returns the exit code. */
export async function allow(options: AllowOptions, streams: CommandStreams): Promise<number> {
  const setting = currentSetting();
  const { state } = setting;
  const project = projectOf(setting.folder);
  const width = widthFor(streams);
  const say = (words: string): boolean => streams.messages.write(`${wrapText(words, width)}\n`);
  const before = folderRules(state, setting.folder);
  if (options.list === true && options.undo === true) throw new UsageError("--list and --undo cannot be combined");
  if (options.list === true) {
    await streams.output.write(rulesInWords(before, project, setting, width));
    return 0;
  }
  for (const tool of options.tool ?? []) {
    if (tool === "" || tool.length > MAX_NAME) throw new UsageError("--tool: the name of a tool is required");
  }
  if (options.as !== undefined && options.tool === undefined) throw new UsageError("--as needs --tool");
  const isLatest = options.tool === undefined && options.project !== true && options.undo !== true;
  const latest = isLatest ? latestIn(state, project) : undefined;
  if (options.undo === true && !isSomethingAllowed(before, options)) {
    say(`${nothingWords(options)} in ${shownPath(project, setting.place)}, so there is nothing to undo.`);
    return 0;
  }
  const after = options.undo === true ? withoutSome(before, options) : withMore(before, options);
  if (Object.keys(after.tools).length > MAX_TOOLS)
    throw new UsageError(`at most ${MAX_TOOLS} tools can have rules in a project`);
  writeRules(state, project, after);
  if (latest !== undefined) noteAllowed(state, project, latest);
  // The log may be gone or full: what a person says holds without it.
  const isUnknown = isLatest && latest === undefined;
  const where = shownPath(project, setting.place);
  say(isUnknown ? `The log has nothing about ${where} in the last 7 days. ${IF_ANY}` : doneWords(options));
  const shells = options.undo === true || options.as === "patience" ? [] : (options.tool ?? []).filter(isShell);
  for (const tool of shells) say(shellWarning(printable(tool)));
  if (latest?.tool !== undefined) await proposeRule(latest.tool, { after, project, state, streams, say });
  return 0;
}

/** The latest time that a hook spoke in a project. */
function latestIn(state: string, project: string): LogEntry | undefined {
  const said = new Set<LogEntry["said"]>(["words", "question", "refusal", "end", "alarm", "start-over"]);
  return readLog(state, Date.now() - LATELY_MS).findLast((entry) => entry.folder === project && said.has(entry.said));
}

/** The rule applies even if it cannot be noted. */
function noteAllowed(state: string, folder: string, { host, session, kind, tool }: LogEntry): void {
  try {
    const facts = { ...(host && { host }), ...(session && { session }), ...(kind && { kind }), ...(tool && { tool }) };
    appendToLog(state, { at: Date.now(), said: "allowed", folder, ...facts });
  } catch {
    // The disk is full, or we may not write.
  }
}

interface Habit {
  readonly after: FolderRules;
  readonly project: string;
  readonly state: string;
  readonly streams: CommandStreams;
  say(words: string): unknown;
}

/** After the third false alarm about one tool in one project, proposes a rule for it. Nothing is applied without a yes. */
async function proposeRule(tool: string, { after, project, state, streams, say }: Habit): Promise<void> {
  const allowed = readLog(state, Date.now() - HABIT_MS).filter(
    (entry) => entry.said === "allowed" && entry.folder === project && entry.tool === tool,
  );
  // Once: somebody who said no is not asked again.
  if (allowed.length !== HABIT || Object.hasOwn(after.tools, tool)) return;
  const isWaiting = allowed.filter(({ kind }) => kind === "repeated-call").length * 2 > allowed.length;
  // A rule for polling would hide the loops of every other command.
  const treatment: ToolTreatment = isWaiting && !isShell(tool) ? "poll" : "patience";
  const command = `doomloop allow --tool ${printable(tool)} --as ${treatment}`;
  say(
    `You have dismissed ${allowed.length} loops of ${printable(tool)} here. Here is a rule that could prevent the next: ${treatmentInWords(treatment)}.`,
  );
  if (streams.input.isTTY !== true) return void say(`To apply it: ${command}`);
  if (!(await confirm("Apply it?"))) return void say(`Nothing was changed. Later: ${command}`);
  writeRules(state, project, { ...after, tools: { ...after.tools, [tool]: treatment } });
  say(`Applied. To undo it: doomloop allow --tool ${printable(tool)} --undo`);
}

function withMore(before: FolderRules, { tool = [], as = "ignore", project }: AllowOptions): FolderRules {
  const isLatest = tool.length === 0 && project !== true;
  return {
    mode: project === true ? "off" : before.mode,
    tools: { ...before.tools, ...Object.fromEntries(tool.map((name) => [name, as])) },
    allowedAt: isLatest ? Date.now() : before.allowedAt,
  };
}

/** Without options, everything is removed. */
function withoutSome(before: FolderRules, { tool = [], project }: AllowOptions): FolderRules {
  if (tool.length === 0 && project !== true) return { tools: {} };
  return {
    mode: project === true && before.mode === "off" ? undefined : before.mode,
    tools: Object.fromEntries(Object.entries(before.tools).filter(([name]) => !tool.includes(name))),
    allowedAt: before.allowedAt,
  };
}

/** Whether there is something that `--undo` takes back. */
function isSomethingAllowed({ mode, tools, allowedAt }: FolderRules, { tool, project }: AllowOptions): boolean {
  if (project === true && mode === "off") return true;
  if (tool !== undefined || project === true) return tool?.some((name) => Object.hasOwn(tools, name)) ?? false;
  return mode !== undefined || allowedAt !== undefined || Object.keys(tools).length > 0;
}

function nothingWords({ tool = [], project }: AllowOptions): string {
  if (tool.length > 0) return `There is no rule for ${tool.map(printable).join(", ")}`;
  return project === true ? "Hooks were not turned off" : "Nothing was allowed";
}

function doneWords({ tool = [], as = "ignore", project, undo }: AllowOptions): string {
  const names = tool.map(printable).join(", ");
  if (undo === true) {
    if (tool.length > 0) return `Calls of ${names} count again in this project.`;
    return project === true ? "Hooks are on again in this project." : "All exceptions in this project were removed.";
  }
  if (tool.length > 0) return `In this project, ${treatmentInWords(as, names)}. Undo with --undo.`;
  if (project === true) return "Hooks are off in this project now. Undo with --undo.";
  return "The latest loop in this project is ignored from the agent's next step on.";
}

/** Somebody who names a shell often means one command. */
function shellWarning(tool: string): string {
  return `${tool} runs every command, so this hides most loops of the agent. Milder: doomloop allow --tool ${tool} --as patience, or doomloop allow after a false alarm.`;
}

/** What a rule does. */
function treatmentInWords(treatment: ToolTreatment, names?: string): string {
  const calls = names === undefined ? "its calls" : `calls of ${names}`;
  switch (treatment) {
    case "poll":
      return `${calls} are treated as polling, so repeats count less`;
    case "patience":
      return `${calls} count only from the ninth repeat`;
    case "ignore":
      return `${calls} are ignored`;
  }
}

/** The rules of a project for people. */
export function rulesInWords(rules: FolderRules, project: string, { place }: WiringSetting, width: number): string {
  const { mode, tools, allowedAt } = rules;
  const lines = [
    ...(mode === "off" ? ["Hooks are off."] : mode === undefined ? [] : [`Runs are treated as ${mode}.`]),
    ...Object.entries(tools).map(([name, treatment]) => `${printable(name)}: ${treatmentInWords(treatment)}.`),
    ...(allowedAt === undefined ? [] : [`The latest loop was allowed ${timeAgo(allowedAt, Date.now())}.`]),
  ];
  const shown = shownPath(project, place);
  if (lines.length === 0) return `No exceptions in ${shown}.\n`;
  const indented = lines.map((line) => `  ${wrapText(line, width - 2).replaceAll("\n", "\n  ")}`);
  return `${[`In ${shown}:`, ...indented].join("\n")}\n`;
}
