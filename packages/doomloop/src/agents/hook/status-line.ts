import { toolName } from "../../core/messages/sentence.ts";
import { recordOf } from "../../transcripts/foreign-value.ts";
import { hookedAgentOf } from "../index.ts";
import { readJournal } from "../journal/read-journal.ts";
import type { FolderRules } from "./folder-rules.ts";
import { HOOK_STATE_VERSION, type HookState } from "./hook-state.ts";

export interface StatusLineOptions {
  /** The name of the agent. */
  readonly host: string | undefined;
  /** The folder of the runs. */
  readonly directory: string;
  /** What a person has allowed in the folder that the agent works in. */
  readonly rulesOf: (folder: string | undefined) => FolderRules;
}

/**
 * Says in one line for a person how a session stands. Empty for a session without hooks. Reads only, and the line contains nothing from
 * outside but a tool's name that looks like one.
 */
export function statusLine(value: unknown, { host, directory, rulesOf }: StatusLineOptions): string {
  const input = recordOf(value) ?? {};
  const { session, folder } = hookedAgentOf(input, host)?.hook.readStatus?.(input) ?? {};
  if (session === undefined) return "";
  if (rulesOf(folder).isOff) return "doomloop: off in this folder";
  const state = readJournal<HookState>({ directory, session });
  if (state?.version !== HOOK_STATE_VERSION) return "";
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
