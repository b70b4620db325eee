import type { ForeignRecord } from "../transcripts/foreign-value.ts";
import { antigravityCliReader } from "./antigravity-cli/reader.ts";
import { claudeCode } from "./claude-code/agent.ts";
import { cline } from "./cline/agent.ts";
import { codex } from "./codex/agent.ts";
import type { CodingAgent, HookedAgent, WirableAgent } from "./coding-agent.ts";
import { copilotCli } from "./copilot-cli/agent.ts";
import { cursor } from "./cursor/agent.ts";
import { geminiCli } from "./gemini-cli/agent.ts";
import { openclawHook } from "./openclaw/hook.ts";
import { opencode } from "./opencode/agent.ts";
import { openhandsReader } from "./openhands/reader.ts";
import { piReader } from "./pi/reader.ts";
import { qwenCode } from "./qwen-code/agent.ts";

/** The coding agents, in the order in which people read their names. A transcript belongs to the first whose reader claims it. */
export const CODING_AGENTS: readonly CodingAgent[] = [
  claudeCode,
  codex,
  geminiCli,
  { name: "antigravity-cli", label: "Antigravity CLI", reader: antigravityCliReader },
  qwenCode,
  copilotCli,
  cline,
  opencode,
  {
    name: "openclaw",
    label: "OpenClaw",
    hook: openclawHook,
    cannot: [
      "hear the end of a turn, unless you set plugins.entries.doomloop.hooks.allowConversationAccess in its settings",
    ],
  },
  cursor,
  { name: "openhands", label: "OpenHands", reader: openhandsReader },
  { name: "pi", label: "pi", reader: piReader },
];

/** The agents that have hooks, in the order in which an input is compared with them. */
export const HOOKED_AGENTS: readonly HookedAgent[] = CODING_AGENTS.filter(
  (agent): agent is HookedAgent => agent.hook !== undefined,
).sort((one, other) => (one.hook.askedLate ?? 0) - (other.hook.askedLate ?? 0));

/** The agents that `init` can wire. */
export const WIRABLE_AGENTS: readonly WirableAgent[] = CODING_AGENTS.filter(
  (agent): agent is WirableAgent => agent.settings !== undefined,
);

/** The agent with this name; without a name, the agent that an input looks like. */
export function hookedAgentOf(input: ForeignRecord, name: string | undefined): HookedAgent | undefined {
  return HOOKED_AGENTS.find((agent) => (name === undefined ? agent.hook.isOf(input) : agent.name === name));
}
