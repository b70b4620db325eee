import { join } from "node:path";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { generateContent } from "../shared/coding-agents/wires/generate-content.ts";

/** Gemini CLI, without a person. Its own detector would end the run at the fifth equal call: it is switched off, so that ours is seen. */
export const geminiCli: CodingAgent = {
  name: "gemini-cli",
  wire: generateContent,
  can: { refuse: true, stop: true },
  ended: {
    json: (words) => [...words, "--output-format", "json"],
    exitCode: 0,
    prints: ["Agent execution stopped by hook: Stopped:", '"response": ""'],
  },
  shell: (command) => ({ tool: "run_shell_command", args: { command } }),
  failing: ({ folder }) => ({
    tool: "replace",
    args: { file_path: `${folder}/result.txt`, instruction: "Fix", old_string: "everything", new_string: "something" },
  }),
  prepare({ home, modelUrl }) {
    writeSettings(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      model: { disableLoopDetection: true },
      // It lists them in the order in which their files happen to be read.
      skills: { enabled: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    });
    return {
      program: process.execPath,
      words: [
        join(import.meta.dirname, "node_modules/@google/gemini-cli/bundle/gemini.js"),
        ...["-p", "Go.", "--yolo", "-m", "gemini-2.5-flash"],
      ],
      env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: "true" },
    };
  },
};
