import { join } from "node:path";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

/** opencode, without a person, with our plugin. Its own question at the third equal call is switched off, so that ours is seen. */
export function opencode(plugin: string): CodingAgent {
  return {
    name: "opencode",
    wire: chatCompletions,
    can: { refuse: true, stop: true },
    shell: (command) => ({ tool: "bash", args: { command, description: "Looks" } }),
    prepare({ home, folder, state, modelUrl, hook }) {
      const models = { scripted: { name: "scripted", tool_call: true } };
      const options = { baseURL: modelUrl, apiKey: "none" };
      writeSettings(join(folder, "opencode.json"), {
        model: "local/scripted",
        small_model: "local/scripted",
        autoupdate: false,
        share: "disabled",
        permission: { "*": "allow", doom_loop: "allow" },
        provider: { local: { npm: "@ai-sdk/openai-compatible", name: "local", options, models } },
      });
      const unattended = hook?.includes("--unattended") ?? false;
      if (hook) {
        writeSettings(
          join(folder, ".opencode/plugin/doomloop.js"),
          `import { createDoomloop } from ${JSON.stringify(plugin)};\nexport const doomloop = createDoomloop({ unattended: ${unattended} });\n`,
        );
      }
      return {
        program: join(import.meta.dirname, "node_modules/.bin/opencode"),
        words: ["run", "Go."],
        env: {
          XDG_DATA_HOME: join(home, "data"),
          XDG_CONFIG_HOME: join(home, "config"),
          XDG_CACHE_HOME: join(home, "cache"),
          XDG_STATE_HOME: state,
          OPENCODE_DISABLE_AUTOUPDATE: "1",
          OPENCODE_DISABLE_MODELS_FETCH: "1",
          OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
          OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        },
      };
    },
  };
}
