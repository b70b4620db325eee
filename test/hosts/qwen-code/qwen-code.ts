import { join } from "node:path";
import { type CodingAgent, claudeLikeHooks, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"];

const SETTINGS = {
  security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
  // With a terminal in between, it loses the output of commands that end at once.
  tools: { shell: { enableInteractiveShell: false } },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};

/**
 * Qwen Code, without a person. A hook cannot end a run, and a detector of its own ends one at the fifth equal call, before ours would
 * refuse one. `handlerOf` makes another hook than that of `init`.
 */
export const qwenCode = (handlerOf?: () => object): CodingAgent => ({
  name: "qwen-code",
  wire: chatCompletions,
  can: { refuse: true, stop: false },
  ended: {
    json: (words) => [...words, "--output-format", "json"],
    exitCode: 0,
    prints: ['"subtype":"success"', "[doomloop] Not run:"],
  },
  endsItselfAt: 5,
  shell: (command) => ({ tool: "run_shell_command", args: { command, is_background: false } }),
  ...(handlerOf && {
    addHook: ({ home }) =>
      writeSettings(join(home, ".qwen/settings.json"), { ...SETTINGS, hooks: claudeLikeHooks(EVENTS, handlerOf()) }),
  }),
  failing: ({ folder }) => ({ tool: "read_file", args: { file_path: `${folder}/missing.txt` } }),
  retries: 3,
  prepare({ home, modelUrl }) {
    writeSettings(join(home, ".qwen/settings.json"), SETTINGS);
    return {
      program: process.execPath,
      words: [join(import.meta.dirname, "node_modules/@qwen-code/qwen-code/cli-entry.js"), "-p", "Go.", "--yolo"],
      env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: modelUrl, OPENAI_MODEL: "qwen3-coder" },
    };
  },
});
