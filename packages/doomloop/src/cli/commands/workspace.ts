import { relative, resolve, sep } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { RestoreReport, Workspace } from "../../workspace/index.ts";
import { openWorkspace } from "../../workspace/open-workspace.ts";
import {
  listCheckpoints,
  restoreQuestion,
  tellCheckpoint,
  tellDeleted,
  tellRestore,
} from "../reporters/workspace-lines.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, confirm, ownCommand, widthFor } from "../terminal/output.ts";

export interface CheckpointOptions {
  /** The root of the workspace. */
  readonly root?: string;
  readonly label?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Saves the files as they are, or lists the checkpoints. Returns the exit code. */
export async function checkpoint(options: CheckpointOptions, streams: CommandStreams): Promise<number> {
  const { output } = streams;
  const width = widthFor(streams);
  const workspace = openWorkspace(options.root, process);
  if (options.list === true) {
    const checkpoints = await workspace.list();
    if (options.json === true) await output.write(`${JSON.stringify(checkpoints)}\n`);
    else await output.write(listCheckpoints(checkpoints, { width, now: Date.now() }));
    return 0;
  }
  const made = await workspace.checkpoint(options.label);
  const deleted = await workspace.limitCopies();
  if (deleted !== undefined) streams.messages.write(`${wrapText(tellDeleted(deleted), width)}\n`);
  await output.write(
    options.json === true ? `${JSON.stringify({ ...made, deleted })}\n` : tellCheckpoint(made, workspace.root),
  );
  return 0;
}

export interface RestoreCommandOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const NOT_ALL = 1;
/** On a terminal, the user is asked before more files than this change. */
const MAX_UNASKED = 20;

/** Restores a checkpoint. Returns the exit code. */
export async function restore(
  id: string | undefined,
  paths: readonly string[],
  options: RestoreCommandOptions,
  streams: CommandStreams,
): Promise<number> {
  const workspace = openWorkspace(options.root, process);
  const target = id ?? (await latest(workspace));
  const only = paths.length === 0 ? {} : { paths: paths.map((path) => fromRoot(workspace.root, path)) };
  return goBack((dryRun) => workspace.restore(target, { dryRun, ...only }), options, streams, paths.length > 0);
}

/** Undoes the latest restore. Returns the exit code. */
export function undo(options: RestoreCommandOptions, streams: CommandStreams): Promise<number> {
  const workspace = openWorkspace(options.root, process);
  return goBack((dryRun) => workspace.undo({ dryRun }), options, streams);
}

async function goBack(
  attempt: (dryRun: boolean) => Promise<RestoreReport>,
  options: RestoreCommandOptions,
  streams: CommandStreams,
  isPart = false,
): Promise<number> {
  const isDryRun = options.dryRun === true;
  const isAsked = !isDryRun && options.yes !== true && options.json !== true && streams.input.isTTY === true;
  const planned = isAsked ? await attempt(true) : undefined;
  if (planned !== undefined && planned.changes.length > MAX_UNASKED && !(await confirm(restoreQuestion(planned)))) {
    streams.messages.write("Nothing was changed.\n");
    return NOT_ALL;
  }
  const report = await attempt(isDryRun);
  if (options.json === true) await streams.output.write(`${JSON.stringify(report)}\n`);
  else {
    const root = options.root === undefined ? [] : ["--root", options.root];
    const undoCommand = ownCommand(["undo", ...root], process.env);
    const { data, messages } = tellRestore(report, { isDryRun, isPart, undoCommand, width: streams.width });
    await streams.output.write(data);
    if (messages !== "") streams.messages.write(messages);
  }
  return report.left.length === 0 || isDryRun ? 0 : NOT_ALL;
}

/** The newest checkpoint that the user made. */
async function latest(workspace: Workspace): Promise<string> {
  const newest = (await workspace.list()).find(({ kind }) => kind === "asked");
  if (newest === undefined) throw new UsageError("there is no checkpoint yet; doomloop checkpoint makes one");
  return newest.id;
}

function fromRoot(root: string, path: string): string {
  const way = relative(root, resolve(path)).split(sep).join("/");
  if (way === "") return ".";
  if (way === ".." || way.startsWith("../")) throw new UsageError(`${path}: a path inside ${root} is required`);
  return way;
}
