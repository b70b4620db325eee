import { basename } from "node:path";
import { type AgentDoctor, SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import { commandInScript } from "./settings.ts";

export const clineDoctor: AgentDoctor = {
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
};
