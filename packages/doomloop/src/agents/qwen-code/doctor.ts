import { claudeLikeSamples } from "../claude-code/doctor.ts";
import type { AgentDoctor } from "../doctor/agent-doctor.ts";

export const qwenCodeDoctor: AgentDoctor = {
  sampleEvents(lap) {
    const id = `call_${lap.at}`;
    return claudeLikeSamples(
      lap,
      { transcript_path: "sample.jsonl", permission_mode: "default", tool_call_id: id },
      id,
    );
  },
};
