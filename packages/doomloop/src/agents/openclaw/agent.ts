import type { CodingAgent } from "../coding-agent.ts";
import { openclawHook } from "./hook.ts";

export const openclaw: CodingAgent = {
  name: "openclaw",
  label: "OpenClaw",
  hook: openclawHook,
};
