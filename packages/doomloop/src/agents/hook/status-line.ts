import { recordOf } from "../../transcripts/foreign-value.ts";
import { hookedAgentOf } from "../index.ts";
import { runOf, shownTool } from "./answer-event.ts";
import type { FolderRules } from "./folder-rules.ts";
import type { HookState } from "./hook-state.ts";

export interface StatusLineOptions {
  /** The name of the agent. */
  readonly host: string | undefined;
  get(run: string): HookState | undefined;
  /** What a person has decided for the folder that the agent works in. */
  rulesOf(folder: string | undefined): FolderRules;
  /** Whether all hooks are silent. */
  readonly isPaused: boolean;
}

/**
 * Says in one line for a person how a session stands. Empty for a session without hooks. The line contains nothing from outside but a
 * tool's name that looks like one.
 */
export function statusLine(value: unknown, { host, get, rulesOf, isPaused }: StatusLineOptions): string {
  const input = recordOf(value) ?? {};
  const agent = hookedAgentOf(input, host);
  const { session, folder } = agent?.hook.readStatus?.(input) ?? {};
  if (agent === undefined || session === undefined) return "";
  if (isPaused) return "doomloop: paused";
  if (rulesOf(folder).mode === "off") return "doomloop: off in this project";
  const state = get(runOf(agent, { session, agent: undefined }));
  if (state === undefined) return "";
  const { finding, isLooping, run, turns } = state;
  const which = finding?.tools[0] === undefined ? "" : ` (${shownTool(finding.tools[0])})`;
  if (run.stop !== undefined || turns?.isHalted === true) return `doomloop: stopped a loop${which}`;
  if (isLooping !== true || finding === undefined) return "doomloop: watching";
  return `doomloop: loop, ${ordinal(finding.count)} time${which}`;
}

/** 1st, 2nd, 3rd, 4th; 11th, 12th, 13th. */
function ordinal(count: number): string {
  const rest = count % 100;
  const ending = rest > 10 && rest < 14 ? undefined : ["th", "st", "nd", "rd"][rest % 10];
  return `${count}${ending ?? "th"}`;
}
