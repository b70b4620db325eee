import type { ForeignRecord } from "../transcripts/foreign-value.ts";
import { claudeCode } from "./claude-code/hook.ts";
import { cline } from "./cline/hook.ts";
import { codex } from "./codex/hook.ts";
import { copilotCli } from "./copilot-cli/hook.ts";
import { geminiCli } from "./gemini-cli/hook.ts";
import type { Dialect, HookHost } from "./hook/dialect.ts";
import { openclaw } from "./openclaw/hook.ts";
import { opencode } from "./opencode/hook.ts";
import { qwenCode } from "./qwen-code/hook.ts";

/** In the order in which they are asked: Claude Code's own is what the others resemble. */
const DIALECTS: readonly Dialect[] = [cline, opencode, openclaw, geminiCli, codex, qwenCode, copilotCli, claudeCode];

export const HOOK_HOSTS: readonly HookHost[] = DIALECTS.map(({ host }) => host);

/** The dialect of the agent that somebody named, or that an input looks like. */
export function dialectOf(input: ForeignRecord, host: HookHost | undefined): Dialect | undefined {
  return DIALECTS.find((dialect) => (host === undefined ? dialect.isOf(input) : dialect.host === host));
}
