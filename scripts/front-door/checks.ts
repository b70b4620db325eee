import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer } from "../../test/hosts/shared/coding-agents/model-server.ts";
import { messages } from "../../test/hosts/shared/coding-agents/wires/messages.ts";
import { type EmptyMachine, runIn } from "./empty-machine.ts";

const MOST_LOOKS = 25;

/** What must have come of a try: of what was printed, and what is left on the machine. Throws where it has not. */
export type Check = (output: string, machine: EmptyMachine) => void | Promise<void>;

export const CHECKS: Readonly<Record<string, Check>> = {
  scan(output, { folder }) {
    requireWords(output, "2 of 4 sessions went in circles", "Bash npm test", "Wrote ");
    requireWords(readFileSync(join(folder, "report.html"), "utf8"), '"kind":"repeated-call"');
  },
  "ai-sdk"(output) {
    requireWords(
      output,
      "[doomloop] You called `read_file` 3 times",
      "Ended after 20 of 30 steps. Stopped: the agent called",
    );
  },
  async hook(output, machine) {
    requireWords(output, "Wired: Claude Code.", ' of a loop: "[doomloop]');
    await loopInClaudeCode(machine);
  },
  fleet(output) {
    requireWords(output, "2 workers made");
    const told = output.split("\n").filter((line) => line.includes(": nudge [doomloop]"));
    if (told.length < 2) throw new Error(`two workers should be told, in:\n${output}`);
  },
  "start-over"(output, { folder }) {
    requireWords(
      output,
      "First attempt.",
      "[doomloop] This run starts over",
      "The file is as it was:\nexport const parse = (text) => text.split(',');",
    );
    requireWords(readFileSync(join(folder, "project/parser.js"), "utf8"), "fliter");
  },
};

/** Claude Code itself, with the settings that were written, and a model that looks at one file until it reads the guard's words, which must come. */
async function loopInClaudeCode(machine: EmptyMachine): Promise<void> {
  const look = { tool: "Bash", args: { command: "cat notes.txt", description: "Looks" } };
  const isTold = (): boolean => server.requests.at(-1)?.includes("[doomloop] You called") === true;
  // A hook says nothing where a slow machine gives it no time, so it gets many chances.
  const server = await modelServer(messages, (request) =>
    isTold() || request > MOST_LOOKS ? { text: "I give up." } : { calls: [look] },
  );
  const model = {
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  try {
    writeFileSync(join(machine.folder, "notes.txt"), "nothing was found\n");
    await runIn(machine, "claude", ["-p", "Go.", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"], model);
    if (!isTold()) throw new Error(`Claude Code was not told in ${server.requests.length} turns`);
  } finally {
    server.close();
  }
}

function requireWords(text: string, ...wanted: readonly string[]): void {
  for (const words of wanted)
    if (!text.includes(words)) throw new Error(`${JSON.stringify(words)} is missing in:\n${text.slice(0, 4000)}`);
}
