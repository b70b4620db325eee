import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";
import { cursorHook } from "./hook.ts";

/** Its own plugin has the hook. `init` does not add it, because nobody has run it. */
export const cursor: CodingAgent = {
  name: "cursor",
  label: "Cursor",
  hook: cursorHook,
  doctor: {
    sampleEvents({ session, cwd, at }) {
      const base = { conversation_id: session, generation_id: "1", cursor_version: "2.5.0", workspace_roots: [cwd] };
      const call = { ...base, tool_name: "Shell", tool_input: SAMPLE_COMMAND, tool_use_id: `tool_${at}`, cwd };
      const result = { ...call, tool_output: JSON.stringify({ exitCode: 0, stdout: SAMPLE_OUTPUT }) };
      return [
        { event: "preToolUse", input: { ...call, hook_event_name: "preToolUse" }, isResult: false },
        { event: "postToolUse", input: { ...result, hook_event_name: "postToolUse" }, isResult: true },
      ];
    },
  },
  cannot: [CANNOT.end, CANNOT.knowAttendance],
};
