import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { installHost } from "../../scripts/install-packages.ts";
import { requireBuild } from "../../scripts/package/manifest.ts";
import { pack } from "../../scripts/package/tarball.ts";
import { attempt } from "../../scripts/run-program.ts";
import { modelServer } from "../hosts/shared/coding-agents/model-server.ts";
import { messages } from "../hosts/shared/coding-agents/wires/messages.ts";
import { createEmptyMachine, type EmptyMachine, follow, readTries, runIn, type Try } from "./readme-tries.ts";

/**
 * Does all that the README offers to try, as it stands there, from the packed package on a machine as good as empty, and holds each to five
 * minutes. Needs a build. Names choose among them.
 */
requireBuild();
const LONGEST_SECONDS = 300;
const MOST_LOOKS = 25;

/** What must have come of a try: of what was printed, and what is left on the machine. Throws where it has not. */
type Check = (output: string, machine: EmptyMachine) => void | Promise<void>;

const CHECKS: Readonly<Record<string, Check>> = {
  scan(output, { folder }) {
    requireWords(output, "2 of 4 sessions went in circles", "npm test", "Wrote ");
    requireWords(readFileSync(join(folder, "report.html"), "utf8"), '"kind":"repeated-call"');
  },
  async hook(output, machine) {
    requireWords(output, "Wired: Claude Code.", ' of a loop: "[doomloop]');
    await loopInClaudeCode(machine);
  },
};

const root = resolve(import.meta.dirname, "../..");
const chosen = process.argv.slice(2);
const markdown = readFileSync(join(root, "README.md"), "utf8");
const tries = readTries(markdown);
const packed = mkdtempSync(join(tmpdir(), "doomloop-packed-"));
let failed = 0;

try {
  const tarball = pack(packed);
  const missing = Object.keys(CHECKS).filter((name) => !tries.some((each) => each.name === name));
  if (missing.length > 0) throw new Error(`README.md does not offer to try ${missing.join(", ")}`);
  for (const each of tries) if (chosen.length === 0 || chosen.includes(each.name)) await attemptTry(each, tarball);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

async function attemptTry({ name, steps }: Try, tarball: string): Promise<void> {
  // Claude Code itself comes with its SDK, which is tested anyway.
  const claude = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  const machine = createEmptyMachine(name, name === "hook" ? [join(installHost("claude-agent-sdk"), claude)] : []);
  const follows = async (): Promise<void> => {
    const start = performance.now();
    const output = await follow(machine, steps, tarball);
    const seconds = (performance.now() - start) / 1000;
    await CHECKS[name]!(output, machine);
    if (seconds > LONGEST_SECONDS) throw new Error(`it took ${seconds.toFixed(0)} s`);
    if (chosen.length > 0) console.log(output);
  };
  await attempt(name, follows).catch(() => failed++);
  rmSync(dirname(machine.home), { recursive: true, force: true, maxRetries: 10 });
}

/** Claude Code itself, with the settings that were written, and a model that looks at one file until it reads the guard's words, which must come. */
async function loopInClaudeCode(machine: EmptyMachine): Promise<void> {
  const look = { tool: "Bash", args: { command: "cat notes.txt", description: "Looks" } };
  const isTold = (): boolean => server.requests.at(-1)?.includes("[doomloop] This exact") === true;
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
