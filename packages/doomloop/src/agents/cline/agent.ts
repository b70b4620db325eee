import { basename, join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import { clineHook } from "./hook.ts";

const BEGIN = "#!/bin/sh\nanswer=$(";

const END = ")\n[ -n \"$answer\" ] || answer='{}'\nprintf '%s\\n' \"$answer\"\n";

const EVENTS = ["TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];

export const cline: CodingAgent = {
  name: "cline",
  label: "Cline",
  hook: clineHook,
  /** Cline starts a program for each event, which is named after the event. */
  settings: {
    program: "cline",
    folder,
    files(place, { command }) {
      if (place.platform === "win32") throw new UsageError("hooks of Cline on Windows are not supported yet");
      const text = clineScript(command("posix"));
      return EVENTS.map((event) => ({
        type: "own" as const,
        path: join(folder(place), "hooks", event),
        text,
        isProgram: true,
      }));
    },
    isOwnFile: (text) => commandInScript(text) !== undefined,
    notes: () => ["its hooks cannot refuse a single call. The model is told, and with --unattended the run is ended."],
  },
  doctor: {
    sampleEvents({ session, cwd, at }) {
      const base = { taskId: session, workspaceRoots: [cwd] };
      const call = { id: `call_${at}`, name: "execute_command", input: SAMPLE_COMMAND };
      const result = { ...call, output: SAMPLE_OUTPUT };
      return [
        { event: "PreToolUse", input: { ...base, hookName: "tool_call", tool_call: call }, isResult: false },
        { event: "PostToolUse", input: { ...base, hookName: "tool_result", tool_result: result }, isResult: true },
      ];
    },
    commandsIn(text, path) {
      const command = commandInScript(text);
      return command === undefined ? [] : [{ event: basename(path), command }];
    },
    // Each file is a program, which Cline starts without a shell.
    startOf: ({ file }) => ({ file, words: [] }),
  },
  cannot: [
    "refuse a single call: the run is ended instead",
    "tell or end an agent that answers again and again without a call, as with --yolo: only you are told",
    "hear what a run was asked: runs that a script starts are not compared with each other",
    CANNOT.hearRejected,
    CANNOT.knowAttendance,
  ],
};

function folder({ home }: AgentPlace): string {
  return join(home, ".cline");
}

/** The program that Cline starts for an event. Cline expects JSON even if the hook prints nothing. */
export function clineScript(command: string): string {
  return `${BEGIN}${command}${END}`;
}

/** The command in such a program. Undefined for somebody else's program. */
export function commandInScript(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const command = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(command) && !command.includes("\n") ? command : undefined;
}
