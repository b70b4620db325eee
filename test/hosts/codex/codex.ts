import { join } from "node:path";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { responses } from "../shared/coding-agents/wires/responses.ts";

/** Codex, without a person. Hooks run once a person trusts them; here that is passed over. No answer of a hook ends a run before its turn is over. */
export const codex: CodingAgent = {
  name: "codex",
  wire: responses,
  can: { refuse: true, stop: false },
  ended: {
    json: (words) => ["exec", "--json", ...words.slice(1)],
    exitCode: 0,
    prints: ["Command blocked by PreToolUse hook: [doomloop]", '"type":"turn.completed"'],
  },
  shell: (command) => ({ tool: "exec_command", args: { cmd: command } }),
  prepare({ home, modelUrl }) {
    const config = join(home, ".codex");
    const provider = `name = "scripted"\nbase_url = "${modelUrl}"\nwire_api = "responses"\n`;
    writeSettings(
      join(config, "config.toml"),
      `model = "gpt-5"\nmodel_provider = "scripted"\n[model_providers.scripted]\n${provider}`,
    );
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
