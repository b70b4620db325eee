import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { currentSetting, shownPath, type WiringSetting } from "../../agents/settings/agent-place.ts";
import { chooseAgents } from "../../agents/settings/plan-agent.ts";
import { type Change, carryOutRemoval, isChanged, planRemoval } from "../../agents/settings/settings-change.ts";
import { readSettings } from "../../agents/settings/settings-file.ts";
import { forgetWired, type WiredFile, wiredFiles } from "../../agents/settings/wired-files.ts";
import { forgetOpinion, readOpinion } from "../../service/opinion-setting.ts";
import { stopResident } from "../../service/resident-status.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { keptCopies, workspacesFolder } from "../../workspace/limits.ts";
import { changeSummary } from "../reporters/change-summary.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, confirm, widthFor } from "../terminal/output.ts";

export interface UninstallOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Takes the hook out of coding agents, after showing what that changes. Returns the exit code. */
export async function uninstall(
  names: readonly string[],
  options: UninstallOptions,
  streams: CommandStreams,
): Promise<number> {
  const setting = currentSetting();
  const { place, state } = setting;
  const noted = wiredFiles(state);
  const width = widthFor(streams);
  const changes: Change[] = [];
  const idle: string[] = [];
  let exitCode = 0;
  for (const path of pathsOf(names, setting, noted)) {
    try {
      const change = planRemoval(path);
      if (isChanged(change)) changes.push(change);
      else idle.push(path);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      exitCode = 1;
      streams.messages.write(`${wrapText(`doomloop: ${printable(error.message)}`, width)}\n`);
    }
  }
  const shown = (path: string): string => shownPath(path, place);
  for (const change of changes)
    await streams.output.write(`${changeSummary([change], shown)}
`);
  if (options.dryRun === true) return exitCode;
  if (changes.length > 0 && options.yes !== true) {
    if (streams.input.isTTY !== true) throw new UsageError("this is not a terminal; use --yes to write without asking");
    if (!(await confirm("Remove this?"))) {
      streams.messages.write("Nothing was written.\n");
      return exitCode;
    }
  }
  for (const change of changes) carryOutRemoval(change, state);
  for (const path of idle) forgetWired(state, path);
  const copies = keptCopies(state);
  const rest = copies.length === 0 ? "; nothing needs it now" : "";
  const done =
    changes.length === 0
      ? "The agents on this machine have no doomloop hook in their settings."
      : `Removed. The guard's saved data is still in ${shownPath(state, place)}${rest}.`;
  streams.messages.write(`${wrapText(done, width)}\n`);
  // No hook asks it any more, unless another agent is still wired.
  const isLast = wiredFiles(state).length === 0;
  if (isLast && (await stopResident(state)) !== undefined) streams.messages.write("The resident guard has ended.\n");
  if (isLast && readOpinion(state) !== undefined) {
    forgetOpinion(state);
    streams.messages.write("Nobody is asked for a second opinion any more. Its address and its key are deleted.\n");
  }
  if (copies.length > 0) streams.messages.write(aboutCopies(copies, setting, width));
  return exitCode;
}

const MAX_LISTED = 10;

/** Says which copies of files stay. `restore` and `undo` read them, so they are removed by nobody but their owner. */
function aboutCopies(copies: ReturnType<typeof keptCopies>, { place, state }: WiringSetting, width: number): string {
  const listed = copies
    .slice(0, MAX_LISTED)
    .map(({ root, bytes }) => `  ${size(bytes)}  ${printable(shownPath(root, place))}`);
  const more = copies.length > MAX_LISTED ? [`  and ${copies.length - MAX_LISTED} more`] : [];
  const folder = shownPath(workspacesFolder(state), place);
  return [
    wrapText("The copies of your files in checkpoints stay. They are the only ones:", width),
    ...listed,
    ...more,
    wrapText(
      `They are in ${folder}. doomloop restore and doomloop undo need them. Once you no longer need those, delete the folder.`,
      width,
    ),
    "",
  ].join("\n");
}

function size(bytes: number): string {
  const isSmall = bytes < 1_000_000;
  return `${(bytes / (isSmall ? 1_000 : 1_000_000)).toFixed(1)} ${isSmall ? "kB" : "MB"}`.padStart(9);
}

/** The files that may hold a hook of ours: those that we know of, and those that we would write to. */
function pathsOf(
  names: readonly string[],
  { place, folder }: WiringSetting,
  noted: readonly WiredFile[],
): ReadonlySet<string> {
  const agents = names.length === 0 ? WIRABLE_AGENTS : chooseAgents(names, place, folder);
  const known = noted.filter(({ host }) => agents.some(({ name }) => name === host));
  const usual = agents.flatMap(({ settings }) => {
    try {
      return settings.files(place, { command: () => "", seconds: 0 }).map(({ path }) => readSettings(path).path);
    } catch (error) {
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
  return new Set([...known.map(({ path }) => path), ...usual]);
}
