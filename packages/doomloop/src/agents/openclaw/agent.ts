import type { CodingAgent } from "../coding-agent.ts";
import { openclawHook } from "./hook.ts";

export const openclaw: CodingAgent = {
  name: "openclaw",
  label: "OpenClaw",
  hook: openclawHook,
  cannot: [
    "hear the end of a turn, unless you set plugins.entries.doomloop.hooks.allowConversationAccess in its settings",
  ],
};
