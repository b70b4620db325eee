import { join } from "node:path";
import { type CodingAgent, claudeLikeHooks, commandLine, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { responses } from "../shared/coding-agents/wires/responses.ts";

const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse"];

/** Codex, without a person. Hooks run once a person trusts them; here that is passed over. Codex has no answer that ends a run. */
export const codex: CodingAgent = {
  name: "codex",
  wire: responses,
  can: { refuse: true, stop: false },
  shell: (command) => ({ tool: "exec_command", args: { cmd: command } }),
  prepare({ home, modelUrl, hook }) {
    const config = join(home, ".codex");
    const provider = `name = "scripted"\nbase_url = "${modelUrl}"\nwire_api = "responses"\n`;
    writeSettings(
      join(config, "config.toml"),
      `model = "gpt-5"\nmodel_provider = "scripted"\n[model_providers.scripted]\n${provider}`,
    );
    const hooks = hook ? claudeLikeHooks(EVENTS, { type: "command", command: commandLine(hook) }) : {};
    writeSettings(join(config, "hooks.json"), { hooks });
    return {
      program: join(import.meta.dirname, "node_modules/.bin/codex"),
      words: [
        ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
        ...["--dangerously-bypass-hook-trust", "Go."],
      ],
      env: { CODEX_HOME: config },
    };
  },
};
