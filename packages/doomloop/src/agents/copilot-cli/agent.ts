import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { copilotCliDoctor } from "./doctor.ts";
import { copilotCliHook } from "./hook.ts";
import { copilotCliReader } from "./reader.ts";
import { copilotCliSettings } from "./settings.ts";

export const copilotCli: CodingAgent = {
  name: "copilot-cli",
  label: "Copilot CLI",
  hook: copilotCliHook,
  settings: copilotCliSettings,
  reader: copilotCliReader,
  doctor: copilotCliDoctor,
  cannot: [CANNOT.end, CANNOT.knowAttendance],
};
