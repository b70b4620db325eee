import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { codexDoctor } from "./doctor.ts";
import { codexHook } from "./hook.ts";
import { pauseGoal } from "./pause-goal.ts";
import { codexReader } from "./reader.ts";
import { codexSettings } from "./settings.ts";

export const codex: CodingAgent = {
  name: "codex",
  label: "Codex",
  hook: codexHook,
  settings: codexSettings,
  reader: codexReader,
  doctor: codexDoctor,
  halt: pauseGoal,
  cannot: [CANNOT.end, CANNOT.hearRejected, CANNOT.knowAttendance],
};
