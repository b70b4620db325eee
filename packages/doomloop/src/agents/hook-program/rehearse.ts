import { rmSync } from "node:fs";
import { join } from "node:path";
import { answerEvent } from "./answer-event.ts";

const LAPS = 2;

/** Goes once through most of what a hook may have to do, in a folder that is removed again: what has run is what can be kept compiled. */
export function rehearse(state: string): void {
  const folder = join(state, `rehearsal-${process.pid}`);
  try {
    for (let lap = 0; lap < LAPS; lap++) {
      for (const { tool_name, tool_input, tool_response } of STEPS) {
        const call = { tool_name, tool_input, tool_use_id: `${tool_name}-${lap}` };
        const told = { session_id: "rehearsal", transcript_path: "rehearsal", permission_mode: "default" };
        const tell = (event: string, more: object): void =>
          void answerEvent(
            { ...told, hook_event_name: event, ...more },
            { host: "claude-code", isUnattended: true, state: folder, budgetMs: 0 },
          );
        tell("PreToolUse", call);
        tell("PostToolUse", { ...call, tool_response });
        tell("PostToolBatch", { tool_calls: [{ ...call, tool_response }] });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A loop, and an edit beside it that changes nothing in the end. */
const STEPS = [
  {
    tool_name: "Bash",
    tool_input: { command: "npm test 2>&1 | tail -5" },
    tool_response: { stdout: "1 failed, 12 passed in 2.31s\nError: expected 2, got 3 at sum.ts:12", stderr: "" },
  },
  {
    tool_name: "Edit",
    tool_input: { file_path: "sum.ts", old_string: "a + b", new_string: "a + b" },
    tool_response: { filePath: "sum.ts", oldString: "a + b", newString: "a + b" },
  },
];
