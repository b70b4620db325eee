import { join } from "node:path";
import {
  type AgentDoctor,
  SAMPLE_COMMAND,
  SAMPLE_OUTPUT,
  type SampleEvent,
  type SampleLap,
} from "../doctor/agent-doctor.ts";
import { findProgram } from "../settings/agent-place.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { childOf, parseJsonText } from "../settings/json-text.ts";
import { textIn } from "../settings/settings-file.ts";
import { claudeCodeSettings } from "./settings.ts";

export const claudeCodeDoctor: AgentDoctor = {
  sampleEvents: (lap) => claudeLikeSamples(lap, { transcript_path: "sample.jsonl", permission_mode: "default" }),
  // On Windows, Claude Code uses the shell that comes with Git.
  startOf({ command }, place, folder) {
    const shell = place.platform === "win32" ? findProgram("bash", place, folder) : "/bin/sh";
    return shell === undefined ? undefined : { file: shell, words: ["-c", command] };
  },
  ownPlugin: { isOn: isPluginOn, command: "claude plugin details doomloop" },
  asksWhere: "in a terminal and in the modes default, acceptEdits and plan; elsewhere the agent only gets messages",
};

/** One lap, in the events that Claude Code and similar agents have. `more` is what an agent adds to each of them, `id` the call's id at the end of the answer. */
export function claudeLikeSamples(
  { session, cwd, at }: SampleLap,
  more: object,
  id = `tool_${at}`,
): readonly SampleEvent[] {
  const base = { session_id: session, cwd, ...more };
  const call = { tool_name: "Bash", tool_input: SAMPLE_COMMAND, tool_use_id: `tool_${at}` };
  const batch = { tool_calls: [{ ...call, tool_use_id: id, tool_response: SAMPLE_OUTPUT }] };
  const told = (event: string, rest: object, isResult: boolean): SampleEvent => ({
    event,
    input: { ...base, hook_event_name: event, ...rest },
    isResult,
  });
  return [
    told("PreToolUse", call, false),
    told("PostToolUse", { ...call, tool_response: SAMPLE_OUTPUT }, true),
    told("PostToolBatch", batch, false),
  ];
}

/** Whether our plugin is switched on in Claude Code. */
function isPluginOn(place: AgentPlace): boolean {
  const text = textIn(join(claudeCodeSettings.folder(place), "settings.json"));
  const plugins = childOf(parseJsonText(text), "enabledPlugins")?.children ?? [];
  return plugins.some(({ key, value }) => key?.startsWith("doomloop@") === true && value === true);
}
