import { join } from "node:path";
import type { CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT, type SampleEvent, type SampleLap } from "../doctor/agent-doctor.ts";
import { findProgram } from "../settings/agent-place.ts";
import { type AgentPlace, hookEntries } from "../settings/agent-settings.ts";
import { childOf, parseJsonText } from "../settings/json-text.ts";
import { textIn } from "../settings/settings-file.ts";
import { claudeCodeHook } from "./hook.ts";
import { claudeCodeReader } from "./reader.ts";

/** The events of Claude Code that matter to a guard. Qwen Code has the same. */
export const CLAUDE_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PostCompact",
  "Stop",
  "SubagentStop",
] as const;

export const claudeCode: CodingAgent = {
  name: "claude-code",
  label: "Claude Code",
  hook: claudeCodeHook,
  /** Claude Code has hooks in the user's `settings.json`. A POSIX shell runs them, on Windows the one of Git. */
  settings: {
    program: "claude",
    isStrict: true,
    folder,
    files: (place, { command, seconds }) => [
      {
        type: "shared",
        path: join(folder(place), "settings.json"),
        hooks: hookEntries(CLAUDE_EVENTS, { type: "command", command: command("posix"), timeout: seconds }),
        statusLine: command("posix", true),
      },
    ],
    notes: () => ["sessions that are already open may keep the hooks they started with."],
  },
  reader: claudeCodeReader,
  doctor: {
    sampleEvents: (lap) => claudeLikeSamples(lap, { transcript_path: "sample.jsonl", permission_mode: "default" }),
    // On Windows, Claude Code uses the shell that comes with Git.
    startOf({ command }, place, folder) {
      const shell = place.platform === "win32" ? findProgram("bash", place, folder) : "/bin/sh";
      return shell === undefined ? undefined : { file: shell, words: ["-c", command] };
    },
    ownPlugin: { isOn: isPluginOn, command: "claude plugin details doomloop" },
    asksWhere: "in a terminal and in the modes default, acceptEdits and plan; elsewhere the agent only gets messages",
  },
  http: { file: "~/.claude/settings.json", events: CLAUDE_EVENTS },
};

/** `CLAUDE_CONFIG_DIR` may name several folders. The first has the settings. */
function folder({ env, home }: AgentPlace): string {
  const [configured] = (env.CLAUDE_CONFIG_DIR ?? "").split(",").filter((name) => name.trim() !== "");
  return configured ?? join(home, ".claude");
}

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
  const text = textIn(join(folder(place), "settings.json"));
  const plugins = childOf(parseJsonText(text), "enabledPlugins")?.children ?? [];
  return plugins.some(({ key, value }) => key?.startsWith("doomloop@") === true && value === true);
}
