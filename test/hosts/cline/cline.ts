import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { CodingAgent } from "../shared/coding-agents/coding-agent.ts";
import { chatCompletions } from "../shared/coding-agents/wires/chat-completions.ts";

const PROGRAM = join(import.meta.dirname, "node_modules/.bin/cline");

/**
 * The CLI of Cline, without a person. Its file hooks cannot refuse a call, only end the run, and it ends one itself at the fifth equal
 * call, before ours would.
 */
export const cline: CodingAgent = {
  name: "cline",
  wire: chatCompletions,
  can: { refuse: false, stop: true },
  ended: {
    json: (words) => ["--json", ...words],
    exitCode: 0,
    prints: ['"finishReason":"aborted"', '"type":"run_aborted"'],
  },
  endsItselfAt: 5,
  shell: (command) => ({ tool: "run_commands", args: { commands: [command] } }),
  prepare({ home, folder, modelUrl }) {
    const env = { CLINE_TELEMETRY_DISABLED: "1" };
    const provider = ["-p", "openai-compatible", "-k", "none", "-m", "scripted", "-b", modelUrl];
    execFileSync(PROGRAM, ["auth", ...provider], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: "ignore",
    });
    return {
      program: PROGRAM,
      words: ["--auto-approve", "true", "-P", "openai-compatible", "-m", "scripted", "-k", "none", "Please go."],
      env,
    };
  },
};
