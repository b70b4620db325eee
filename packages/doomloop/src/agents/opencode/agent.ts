import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { opencodeDoctor } from "./doctor.ts";
import { opencodeHook } from "./hook.ts";
import { opencodeReader } from "./reader.ts";
import { opencodeSettings } from "./settings.ts";

export const opencode: CodingAgent = {
  name: "opencode",
  label: "opencode",
  hook: opencodeHook,
  settings: opencodeSettings,
  reader: opencodeReader,
  doctor: opencodeDoctor,
  cannot: [
    "be sure to hear how opencode run ended: some sessions of a script are not compared with each other",
    CANNOT.knowAttendance,
  ],
};
