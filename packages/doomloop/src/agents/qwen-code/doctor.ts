import { claudeLikeSamples } from "../claude-code/doctor.ts";
import type { AgentDoctor } from "../doctor/agent-doctor.ts";

export const qwenCodeDoctor: AgentDoctor = {
  sampleEvents: (lap) =>
    claudeLikeSamples(lap, {
      transcript_path: "sample.jsonl",
      permission_mode: "default",
      tool_call_id: `call_${lap.at}`,
    }),
};
