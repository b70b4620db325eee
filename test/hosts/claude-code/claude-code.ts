import { join } from "node:path";
import { type CodingAgent, claudeLikeHooks, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { messages } from "../shared/coding-agents/wires/messages.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];
const MODEL = "claude-sonnet-4-5";

/** Claude Code, without a person. `handlerOf` makes another hook than that of `init`. */
export function claudeCode(handlerOf?: () => object): CodingAgent {
  return {
    name: "claude-code",
    wire: messages,
    can: { refuse: true, stop: true },
    ended: {
      json: (words) => [...words, "--output-format", "json"],
      exitCode: 0,
      prints: ['"terminal_reason":"hook_stopped"', '"subtype":"success"', '"result":""'],
    },
    shell: (command) => ({ tool: "Bash", args: { command, description: "Looks" } }),
    ...(handlerOf && {
      addHook: ({ home }) =>
        writeSettings(join(home, ".claude/settings.json"), { hooks: claudeLikeHooks(EVENTS, handlerOf()) }),
    }),
    failing: ({ folder }) => ({ tool: "Read", args: { file_path: `${folder}/missing.txt` } }),
    prepare({ home, modelUrl }) {
      const config = join(home, ".claude");
      return {
        program: join(import.meta.dirname, "node_modules/.bin/claude"),
        words: ["-p", "Go.", "--model", MODEL, "--allowedTools", "Bash"],
        env: {
          CLAUDE_CONFIG_DIR: config,
          ANTHROPIC_BASE_URL: modelUrl,
          ANTHROPIC_API_KEY: "none",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
        },
      };
    },
  };
}
