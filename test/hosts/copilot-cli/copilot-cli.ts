import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

/** Copilot CLI, without a person. It has no answer that ends a run. */
export const copilotCli: CodingAgent = {
  name: "copilot-cli",
  wire: chatCompletions,
  can: { refuse: true, stop: false },
  ended: {
    json: (words) => [...words, "--output-format", "json"],
    exitCode: 0,
    prints: ["Denied by preToolUse hook: [doomloop]", '"exitCode":0'],
  },
  shell: (command) => ({ tool: "bash", args: { command, description: "Looks" } }),
  failing: ({ folder }) => ({ tool: "view", args: { path: `${folder}/missing.txt` } }),
  prepare({ home, folder, modelUrl }) {
    const config = join(home, ".copilot");
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    writeSettings(join(config, "config.json"), { trusted_folders: [folder], trustedFolders: [folder] });
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
