import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { antigravityCliDoctor } from "./doctor.ts";
import { antigravityCliHook } from "./hook.ts";
import { antigravityCliReader } from "./reader.ts";
import { antigravityCliSettings } from "./settings.ts";

export const antigravityCli: CodingAgent = {
  name: "antigravity-cli",
  label: "Antigravity CLI",
  hook: antigravityCliHook,
  settings: antigravityCliSettings,
  reader: antigravityCliReader,
  doctor: antigravityCliDoctor,
  cannot: ["refuse a single call: the run is ended instead", CANNOT.knowAttendance],
};
