import { join } from "node:path";
import { type CodingAgent, claudeLikeHooks, commandLine, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { messages } from "../shared/coding-agents/wires/messages.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];
const MODEL = "claude-sonnet-4-5";

/** The handler of a hook: a command, or an address. */
export type HandlerOf = (hook: readonly string[]) => object;

const asCommand: HandlerOf = (hook) => ({ type: "command", command: commandLine(hook), timeout: 10 });

/** Claude Code, without a person. */
export function claudeCode(handlerOf: HandlerOf = asCommand): CodingAgent {
  return {
    name: "claude-code",
    wire: messages,
    can: { refuse: true, stop: true },
    shell: (command) => ({ tool: "Bash", args: { command, description: "Looks" } }),
    prepare({ home, modelUrl, hook }) {
      const config = join(home, ".claude");
      writeSettings(join(config, "settings.json"), { hooks: hook ? claudeLikeHooks(EVENTS, handlerOf(hook)) : {} });
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
