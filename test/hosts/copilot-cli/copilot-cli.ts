import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type CodingAgent, commandLine, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

const EVENTS = ["userPromptSubmitted", "preToolUse", "postToolUse"];

/** Copilot CLI, without a person. It has no answer that ends a run. */
export const copilotCli: CodingAgent = {
  name: "copilot-cli",
  wire: chatCompletions,
  can: { refuse: true, stop: false },
  shell: (command) => ({ tool: "bash", args: { command, description: "Looks" } }),
  prepare({ home, folder, modelUrl, hook }) {
    const config = join(home, ".copilot");
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    writeSettings(join(config, "config.json"), { trusted_folders: [folder], trustedFolders: [folder] });
    const handler = { type: "command", bash: commandLine(hook ?? []), timeoutSec: 10 };
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [handler]]));
    if (hook) writeSettings(join(config, "hooks/doomloop.json"), { version: 1, hooks });
    return {
      program: join(import.meta.dirname, "node_modules/.bin/copilot"),
      words: ["-p", "Go.", "--allow-all-tools", "--no-color"],
      env: {
        COPILOT_HOME: config,
        COPILOT_PROVIDER_BASE_URL: modelUrl,
        COPILOT_PROVIDER_API_KEY: "none",
        COPILOT_MODEL: "gpt-4.1",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_OFFLINE: "true",
      },
    };
  },
};
