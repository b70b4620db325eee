import type { CodingAgent } from "../coding-agent.ts";
import { copilotCliDoctor } from "./doctor.ts";
import { copilotCliHook } from "./hook.ts";
import { copilotCliReader } from "./reader.ts";
import { copilotCliSettings } from "./settings.ts";

export const copilotCli: CodingAgent = {
  name: "copilot-cli",
  label: "Copilot CLI",
  hook: copilotCliHook,
  ...(typeof HOOK_PROGRAM === "undefined" && {
    settings: copilotCliSettings,
    reader: copilotCliReader,
    doctor: copilotCliDoctor,
  }),
};
