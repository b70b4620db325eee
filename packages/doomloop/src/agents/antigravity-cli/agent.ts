import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT, TRIAL_STEPS } from "../doctor/agent-doctor.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { antigravityCliHook } from "./hook.ts";
import { antigravityCliReader } from "./reader.ts";

export const antigravityCli: CodingAgent = {
  name: "antigravity-cli",
  label: "Antigravity CLI",
  hook: antigravityCliHook,
  /**
   * Antigravity CLI shares a folder of settings with other programs of Antigravity. A hook has a name there, and its events have commands
   * without the usual list around them. An unreadable file is dropped as a whole.
   */
  settings: {
    program: "agy",
    isStrict: true,
    folder,
    files(place, { command, seconds }) {
      if (place.platform === "win32") throw new UsageError("hooks of Antigravity CLI on Windows are not supported yet");
      const handler = { type: "command", command: command("posix-object"), timeout: seconds };
      return [
        {
          type: "shared",
          path: join(place.home, ".gemini", "config", "hooks.json"),
          field: "doomloop",
          hooks: { PreInvocation: handler, PostInvocation: handler },
        },
      ];
    },
    notes: () => [
      "this support is built from documents: we have not run it. Please tell us what you see. Its hooks cannot refuse a single call. The model is told, and with --unattended the run is ended.",
    ],
  },
  reader: antigravityCliReader,
  doctor: {
    sampleEvents({ session, cwd, at }) {
      const tool_calls = [{ name: "run_command", args: { CommandLine: SAMPLE_COMMAND.command, Cwd: cwd } }];
      const steps = [
        { step_index: 2 * at, source: "MODEL", type: "PLANNER_RESPONSE", tool_calls },
        { step_index: 2 * at + 1, source: "MODEL", type: "GENERIC", content: SAMPLE_OUTPUT },
      ];
      const input = { conversationId: session, workspacePaths: [cwd], invocationNum: at, initialNumSteps: 2 * at };
      return [{ event: "PostInvocation", input: { ...input, [TRIAL_STEPS]: steps }, isResult: true }];
    },
  },
  cannot: ["refuse a single call: the run is ended instead", CANNOT.knowAttendance],
};

function folder({ home }: AgentPlace): string {
  return join(home, ".gemini", "antigravity-cli");
}
