import { join } from "node:path";
import { jsonIn, listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import { copilotCliHook } from "./hook.ts";
import { copilotCliReader } from "./reader.ts";

const EVENTS = ["userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "agentStop"];

export const copilotCli: CodingAgent = {
  name: "copilot-cli",
  label: "Copilot CLI",
  hook: copilotCliHook,
  /** Copilot CLI reads each file in its folder of hooks. Ours has a command for each of two shells. */
  settings: {
    program: "copilot",
    folder,
    files(place, { command, seconds }) {
      const handler = {
        type: "command",
        bash: command("posix"),
        ...(place.platform === "win32" && { powershell: command("powershell") }),
        timeoutSec: seconds,
      };
      const hooks = Object.fromEntries(EVENTS.map((event) => [event, [handler]]));
      const text = `${JSON.stringify({ version: 1, hooks }, undefined, 2)}\n`;
      return [{ type: "own", path: join(folder(place), "hooks", "doomloop.json"), text, isProgram: false }];
    },
    isOwnFile(text) {
      const commands = [...text.matchAll(/"bash": ("[^\n]{1,2000}")/g)].map(([, command]) => jsonIn(command!));
      return commands.length > 0 && commands.every(isOwnCommand);
    },
    notes: () => [],
  },
  reader: copilotCliReader,
  doctor: {
    sampleEvents({ session, cwd }) {
      const base = { sessionId: session, timestamp: 0, cwd, toolName: "bash", toolArgs: SAMPLE_COMMAND };
      const toolResult = { resultType: "success", textResultForLlm: SAMPLE_OUTPUT };
      return [
        { event: "preToolUse", input: base, isResult: false },
        { event: "postToolUse", input: { ...base, toolResult }, isResult: true },
      ];
    },
    commandsIn(text, _path, platform) {
      const hooks = recordOf(recordOf(jsonIn(text))?.hooks) ?? {};
      return Object.entries(hooks).flatMap(([event, handlers]) =>
        listOf(handlers).flatMap((handler) => {
          const command = recordOf(handler)?.[platform === "win32" ? "powershell" : "bash"];
          return isOwnCommand(command) ? [{ event, command: command as string }] : [];
        }),
      );
    },
  },
  cannot: [CANNOT.end, CANNOT.knowAttendance],
};

function folder({ env, home }: AgentPlace): string {
  return env.COPILOT_HOME || join(home, ".copilot");
}
