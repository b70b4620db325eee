import { join } from "node:path";
import { CLAUDE_EVENTS, claudeLikeSamples } from "../claude-code/agent.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { type AgentPlace, HARMLESS_ENVIRONMENT, hookEntries } from "../settings/agent-settings.ts";
import { qwenCodeHook } from "./hook.ts";
import { qwenCodeReader } from "./reader.ts";

export const qwenCode: CodingAgent = {
  name: "qwen-code",
  label: "Qwen Code",
  hook: qwenCodeHook,
  /** Qwen Code has the events of Claude Code in its own `settings.json`, and uses PowerShell on Windows. */
  settings: {
    program: "qwen",
    folder,
    files: (place, { command, seconds }) => [
      {
        type: "shared",
        path: join(folder(place), "settings.json"),
        hooks: hookEntries(CLAUDE_EVENTS, {
          type: "command",
          name: "doomloop",
          command: command(place.platform === "win32" ? "powershell" : "posix"),
          // Some versions expect seconds, but take a thousand or more for milliseconds.
          timeout: seconds * 1000,
          env: HARMLESS_ENVIRONMENT,
        }),
      },
    ],
    notes: () => ["it has its own loop detector, which ends a run without telling the model."],
  },
  reader: qwenCodeReader,
  doctor: {
    sampleEvents(lap) {
      const id = `call_${lap.at}`;
      return claudeLikeSamples(
        lap,
        { transcript_path: "sample.jsonl", permission_mode: "default", tool_call_id: id },
        id,
      );
    },
  },
  cannot: [CANNOT.end, CANNOT.hearRejected, CANNOT.knowAttendance],
  http: { file: "~/.qwen/settings.json", events: CLAUDE_EVENTS },
};

function folder({ env, home }: AgentPlace): string {
  return env.QWEN_HOME || join(home, ".qwen");
}
