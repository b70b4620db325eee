import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { type AgentDoctor, SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import { parseStrictJson } from "../settings/json-text.ts";

export const copilotCliDoctor: AgentDoctor = {
  sampleEvents({ session, cwd }) {
    const base = { sessionId: session, timestamp: 0, cwd, toolName: "bash", toolArgs: SAMPLE_COMMAND };
    const toolResult = { resultType: "success", textResultForLlm: SAMPLE_OUTPUT };
    return [
      { event: "preToolUse", input: base, isResult: false },
      { event: "postToolUse", input: { ...base, toolResult }, isResult: true },
    ];
  },
  commandsIn(text, _path, platform) {
    const hooks = recordOf(recordOf(parseStrictJson(text))?.hooks) ?? {};
    return Object.entries(hooks).flatMap(([event, handlers]) =>
      listOf(handlers).flatMap((handler) => {
        const command = recordOf(handler)?.[platform === "win32" ? "powershell" : "bash"];
        return isOwnCommand(command) ? [{ event, command: command as string }] : [];
      }),
    );
  },
};
