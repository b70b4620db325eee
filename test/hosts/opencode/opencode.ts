import { join } from "node:path";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

/** opencode, without a person, with the plugin as `doomloop init` installs it. Its own question at the third equal call is switched off, so that ours is seen. */
export const opencode: CodingAgent = {
  name: "opencode",
  wire: chatCompletions,
  can: { refuse: true, stop: true },
  ended: { json: (words) => [...words, "--format", "json"], exitCode: 1, prints: ['"name":"MessageAbortedError"'] },
  shell: (command) => ({ tool: "bash", args: { command, description: "Looks" } }),
  failing: ({ folder }) => ({
    tool: "edit",
    args: { filePath: `${folder}/result.txt`, oldString: "everything", newString: "something" },
  }),
  prepare({ home, folder, state, modelUrl }) {
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
    const env = {
      XDG_DATA_HOME: join(home, "data"),
      XDG_CONFIG_HOME: join(home, "config"),
      XDG_CACHE_HOME: join(home, "cache"),
      XDG_STATE_HOME: state,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    };
    return { program: join(import.meta.dirname, "node_modules/.bin/opencode"), words: ["run", "Go."], env };
  },
};
