import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { packageHome } from "../../../scripts/package/manifest.ts";
import { type AgentPlace, type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { environmentOf, hookState } from "../shared/coding-agents/run-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

const program = join(import.meta.dirname, "node_modules/.bin/openclaw");

/** OpenClaw, without a person and without its gateway, with the plugin as its own command installs it from the package. */
export const openclaw: CodingAgent = {
  name: "openclaw",
  wire: chatCompletions,
  can: { refuse: true, stop: true },
  ended: { json: (words) => [...words, "--json"], exitCode: 1, prints: ["agent run aborted"], isNowhere: true },
  shell: (command) => ({ tool: "exec", args: { command } }),
  addHook(place, hook) {
    const run = (...words: string[]): void =>
      void execFileSync(program, words, { env: { ...environmentOf(place), ...variables(place) }, stdio: "pipe" });
    run("plugins", "install", "--link", packageHome, "--force", "--accept-capabilities");
    const config = { state: hookState(place), ...(hook.includes("--unattended") && { unattended: true }) };
    run("config", "set", "plugins.entries.doomloop.config", JSON.stringify(config));
  },
  prepare(place) {
    const { folder, modelUrl } = place;
    const model = { id: "scripted", name: "scripted", api: "openai-completions", reasoning: false, input: ["text"] };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = [{ ...model, cost, contextWindow: 100_000, maxTokens: 4096 }];
    writeSettings(variables(place).OPENCLAW_CONFIG_PATH, {
      models: {
        mode: "merge",
        providers: { local: { baseUrl: modelUrl, apiKey: "none", api: "openai-completions", models } },
      },
      agents: {
        defaults: { workspace: folder, model: { primary: "local/scripted" } },
        entries: { main: { default: true } },
      },
      tools: { exec: { host: "gateway", security: "full", ask: "off" } },
    });
    const words = ["agent", "--local", "--agent", "main", "--session-id", "one", "-m", "Go.", "--timeout", "200"];
    return { program, words, env: variables(place) };
  },
};

function variables({ home }: AgentPlace) {
  return { OPENCLAW_STATE_DIR: join(home, "state"), OPENCLAW_CONFIG_PATH: join(home, "openclaw.json") };
}
