import { join } from "node:path";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import { type AgentPlace, HARMLESS_ENVIRONMENT, hookEntries } from "../settings/agent-settings.ts";
import { geminiCliHook } from "./hook.ts";
import { geminiCliReader } from "./reader.ts";

export const geminiCli: CodingAgent = {
  name: "gemini-cli",
  label: "Gemini CLI",
  hook: geminiCliHook,
  /** Gemini CLI has hooks in the user's `settings.json`, counts time in milliseconds, and uses PowerShell on Windows. */
  settings: {
    program: "gemini",
    folder,
    files: (place, { command, seconds }) => [
      {
        type: "shared",
        path: join(folder(place), "settings.json"),
        hooks: hookEntries(["BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"], {
          type: "command",
          name: "doomloop",
          command: command(place.platform === "win32" ? "powershell" : "posix"),
          timeout: seconds * 1000,
          env: HARMLESS_ENVIRONMENT,
        }),
      },
    ],
    notes: () => [
      "it ends a run itself at the fifth identical call. The hook steps in before that, and also finds other kinds of loops.",
    ],
  },
  reader: geminiCliReader,
  doctor: {
    sampleEvents({ session, cwd }) {
      const base = { session_id: session, cwd, tool_name: "run_shell_command", tool_input: SAMPLE_COMMAND };
      const tool_response = { llmContent: `Output: ${SAMPLE_OUTPUT}`, returnDisplay: SAMPLE_OUTPUT };
      return [
        { event: "BeforeTool", input: { ...base, hook_event_name: "BeforeTool" }, isResult: false },
        { event: "AfterTool", input: { ...base, hook_event_name: "AfterTool", tool_response }, isResult: true },
      ];
    },
  },
  cannot: [CANNOT.hearRejected, CANNOT.knowAttendance],
};

function folder({ env, home }: AgentPlace): string {
  return join(env.GEMINI_CLI_HOME || home, ".gemini");
}
