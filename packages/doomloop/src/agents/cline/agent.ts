import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { clineDoctor } from "./doctor.ts";
import { clineHook } from "./hook.ts";
import { clineSettings } from "./settings.ts";

export const cline: CodingAgent = {
  name: "cline",
  label: "Cline",
  hook: clineHook,
  settings: clineSettings,
  doctor: clineDoctor,
  cannot: ["refuse a single call: the run is ended instead", CANNOT.hearRejected, CANNOT.knowAttendance],
};
