import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { geminiCliDoctor } from "./doctor.ts";
import { geminiCliHook } from "./hook.ts";
import { geminiCliReader } from "./reader.ts";
import { geminiCliSettings } from "./settings.ts";

export const geminiCli: CodingAgent = {
  name: "gemini-cli",
  label: "Gemini CLI",
  hook: geminiCliHook,
  settings: geminiCliSettings,
  reader: geminiCliReader,
  doctor: geminiCliDoctor,
  cannot: [CANNOT.hearRejected, CANNOT.knowAttendance],
};
