import { toolName } from "../../core/messages/sentence.ts";
import { recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readJournal } from "../journal/read-journal.ts";
import type { FolderRules } from "./folder-rules.ts";
import type { HookState } from "./hook-state.ts";

export interface StatusLineOptions {
  /** The folder of all that hooks keep. */
  readonly directory: string;
  /** What somebody has allowed in the folder that the agent works in. */
  readonly rulesOf: (folder: string | undefined) => FolderRules;
}

/**
 * How a session stands, in a line for the person: what Claude Code tells of it comes in. Empty for a session that no hook has heard of.
 * Nothing is written, and no byte of the line is somebody else's but a tool's name that looks like one.
 */
export function statusLine(value: unknown, { directory, rulesOf }: StatusLineOptions): string {
  const input = recordOf(value) ?? {};
  const session = textOf(input.session_id);
  const folder = textOf(recordOf(input.workspace)?.current_dir) ?? textOf(input.cwd);
  if (session === undefined) return "";
  if (rulesOf(folder).isOff) return "doomloop: off in this folder";
  const state = readJournal<HookState>({ directory, session });
  if (state?.version !== 2) return "";
  const { finding, isLooping, run } = state;
  const which = finding?.tools[0] === undefined ? "" : ` (${toolName(finding.tools[0]).replaceAll("`", "")})`;
  if (run.stop !== undefined) return `doomloop: stopped a loop${which}`;
  if (isLooping !== true || finding === undefined) return "doomloop: watching";
  return `doomloop: loop, ${ordinal(finding.count)} time${which}`;
}

/** 1st, 2nd, 3rd, 4th; 11th, 12th, 13th. */
function ordinal(count: number): string {
  const rest = count % 100;
  const ending = rest > 10 && rest < 14 ? undefined : ["th", "st", "nd", "rd"][rest % 10];
  return `${count}${ending ?? "th"}`;
}
