import { CLAUDE_EVENTS } from "../claude-code/settings.ts";
import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { qwenCodeDoctor } from "./doctor.ts";
import { qwenCodeHook } from "./hook.ts";
import { qwenCodeReader } from "./reader.ts";
import { qwenCodeSettings } from "./settings.ts";

export const qwenCode: CodingAgent = {
  name: "qwen-code",
  label: "Qwen Code",
  hook: qwenCodeHook,
  settings: qwenCodeSettings,
  reader: qwenCodeReader,
  doctor: qwenCodeDoctor,
  cannot: [CANNOT.end, CANNOT.hearRejected, CANNOT.knowAttendance],
  http: { file: "~/.qwen/settings.json", events: CLAUDE_EVENTS },
};
