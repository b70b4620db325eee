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
  cannot: [
    "refuse a single call: the run is ended instead",
    "tell or end an agent that answers again and again without a call, as with --yolo: only you are told",
    "hear what a run was asked: runs that a script starts are not compared with each other",
    CANNOT.hearRejected,
    CANNOT.knowAttendance,
  ],
};
