import type { CodingAgent } from "../coding-agent.ts";
import { clineDoctor } from "./doctor.ts";
import { clineHook } from "./hook.ts";
import { clineSettings } from "./settings.ts";

export const cline: CodingAgent = {
  name: "cline",
  label: "Cline",
  hook: clineHook,
  ...(typeof HOOK_PROGRAM === "undefined" && { settings: clineSettings, doctor: clineDoctor }),
};
