import { type AgentDoctor, SAMPLE_COMMAND, SAMPLE_OUTPUT } from "../doctor/agent-doctor.ts";

export const geminiCliDoctor: AgentDoctor = {
  sampleEvents({ session, cwd }) {
    const base = { session_id: session, cwd, tool_name: "run_shell_command", tool_input: SAMPLE_COMMAND };
    const tool_response = { llmContent: `Output: ${SAMPLE_OUTPUT}`, returnDisplay: SAMPLE_OUTPUT };
    return [
      { event: "BeforeTool", input: { ...base, hook_event_name: "BeforeTool" }, isResult: false },
      { event: "AfterTool", input: { ...base, hook_event_name: "AfterTool", tool_response }, isResult: true },
    ];
  },
};
