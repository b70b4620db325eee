import { join } from "node:path";
import { type CodingAgent, claudeLikeHooks, commandLine, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];

/** The handler of a hook: a command, or an address. */
export type HandlerOf = (hook: readonly string[]) => object;

const asCommand: HandlerOf = (hook) => ({ type: "command", command: commandLine(hook) });

/**
 * Qwen Code, without a person. A hook cannot end a run, and a detector of its own ends one at the fifth equal call, before ours would
 * refuse one.
 */
export const qwenCode = (handlerOf: HandlerOf = asCommand): CodingAgent => ({
  name: "qwen-code",
  wire: chatCompletions,
  can: { refuse: true, stop: false },
  endsItselfAt: 5,
  shell: (command) => ({ tool: "run_shell_command", args: { command, is_background: false } }),
  prepare({ home, modelUrl, hook }) {
    writeSettings(join(home, ".qwen/settings.json"), {
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      // With a terminal in between, it loses the output of commands that end at once.
      tools: { shell: { enableInteractiveShell: false } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      hooks: hook ? claudeLikeHooks(EVENTS, handlerOf(hook)) : {},
    });
    return {
      program: process.execPath,
      words: [join(import.meta.dirname, "node_modules/@qwen-code/qwen-code/cli-entry.js"), "-p", "Go.", "--yolo"],
      env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: modelUrl, OPENAI_MODEL: "qwen3-coder" },
    };
  },
});
