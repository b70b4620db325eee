import type { CodingAgent } from "../coding-agent.ts";
import { codexDoctor } from "./doctor.ts";
import { codexHook } from "./hook.ts";
import { codexReader } from "./reader.ts";
import { codexSettings } from "./settings.ts";

export const codex: CodingAgent = {
  name: "codex",
  label: "Codex",
  hook: codexHook,
  ...(typeof HOOK_PROGRAM === "undefined" && { settings: codexSettings, reader: codexReader, doctor: codexDoctor }),
};
