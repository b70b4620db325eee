import { expect, it } from "vitest";
import type { TranscriptEnvironment } from "../transcripts/reader.ts";
import { readers } from "./readers.ts";

function rootsOf(agent: string, machine: Partial<TranscriptEnvironment>): readonly string[] {
  const reader = readers.find((each) => each.agent === agent)!;
  return reader.roots({ home: "/home/dev", env: {}, platform: "linux", ...machine });
}

it.each([
  { agent: "claude-code", env: {}, roots: ["/home/dev/.claude/projects", "/home/dev/.config/claude/projects"] },
  { agent: "claude-code", env: { CLAUDE_CONFIG_DIR: "/a, /b" }, roots: ["/a/projects", "/b/projects"] },
  { agent: "codex", env: {}, roots: ["/home/dev/.codex/sessions", "/home/dev/.codex/archived_sessions"] },
  { agent: "codex", env: { CODEX_HOME: "/c" }, roots: ["/c/sessions", "/c/archived_sessions"] },
  { agent: "gemini-cli", env: {}, roots: ["/home/dev/.gemini/tmp"] },
  { agent: "antigravity-cli", env: {}, roots: ["/home/dev/.gemini/antigravity-cli/brain"] },
  { agent: "qwen-code", env: {}, roots: ["/home/dev/.qwen/projects", "/home/dev/.qwen/tmp"] },
  { agent: "copilot-cli", env: { COPILOT_HOME: "/c" }, roots: ["/c/session-state"] },
  {
    agent: "opencode",
    env: { XDG_DATA_HOME: "/x" },
    roots: ["/x/opencode/opencode.db", "/x/opencode/storage/session"],
  },
  { agent: "qwen-code", env: { QWEN_HOME: "/q", QWEN_RUNTIME_DIR: "/r" }, roots: ["/r/projects", "/r/tmp"] },
  {
    agent: "opencode",
    env: { OPENCODE_DB: "/x/mine.db" },
    roots: ["/x/mine.db", "/home/dev/.local/share/opencode/storage/session"],
  },
  { agent: "openhands", env: {}, roots: ["/home/dev/.openhands/sessions", "/home/dev/.openhands/conversations"] },
  { agent: "openhands", env: { OPENHANDS_PERSISTENCE_DIR: "/o" }, roots: ["/o/sessions", "/o/conversations"] },
  { agent: "openhands", env: { OPENHANDS_CONVERSATIONS_DIR: "/o" }, roots: ["/home/dev/.openhands/sessions", "/o"] },
  { agent: "mini-swe-agent", env: {}, roots: ["/home/dev/.config/mini-swe-agent"] },
  { agent: "mini-swe-agent", env: { XDG_CONFIG_HOME: "/c" }, roots: ["/c/mini-swe-agent"] },
  { agent: "mini-swe-agent", env: { MSWEA_GLOBAL_CONFIG_DIR: "/m" }, roots: ["/m"] },
  { agent: "pi", env: { PI_CODING_AGENT_SESSION_DIR: "/p" }, roots: ["/p"] },
])("finds $agent with $env", ({ agent, env, roots }) => {
  expect(rootsOf(agent, { env })).toEqual(roots);
});

it("uses the path separators of the scanned machine", () => {
  const roots = rootsOf("codex", { home: "C:\\Users\\dev", platform: "win32" });

  expect(roots[0]).toBe("C:\\Users\\dev\\.codex\\sessions");
  expect(rootsOf("mini-swe-agent", { home: "C:\\Users\\dev", platform: "win32" })).toEqual([
    "C:\\Users\\dev\\AppData\\Local\\mini-swe-agent\\mini-swe-agent",
  ]);
});

it("joins folders that end with a separator, or mix both kinds", () => {
  expect(rootsOf("codex", { env: { CODEX_HOME: "/c/" } })[0]).toBe("/c/sessions");
  expect(rootsOf("codex", { env: { CODEX_HOME: "C:/c" }, platform: "win32" })[0]).toBe("C:\\c\\sessions");
});
