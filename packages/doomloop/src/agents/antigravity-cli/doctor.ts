import { type AgentDoctor, SAMPLE_COMMAND, SAMPLE_OUTPUT, TRIAL_STEPS } from "../doctor/agent-doctor.ts";

export const antigravityCliDoctor: AgentDoctor = {
  sampleEvents({ session, cwd, at }) {
    const tool_calls = [{ name: "run_command", args: { CommandLine: SAMPLE_COMMAND.command, Cwd: cwd } }];
    const steps = [
      { step_index: 2 * at, source: "MODEL", type: "PLANNER_RESPONSE", tool_calls },
      { step_index: 2 * at + 1, source: "MODEL", type: "GENERIC", content: SAMPLE_OUTPUT },
    ];
    const input = { conversationId: session, workspacePaths: [cwd], invocationNum: at, initialNumSteps: 2 * at };
    return [{ event: "PostInvocation", input: { ...input, [TRIAL_STEPS]: steps }, isResult: true }];
  },
};
