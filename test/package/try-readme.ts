import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { installHost } from "../../scripts/install-packages.ts";
import { requireBuild } from "../../scripts/package/manifest.ts";
import { pack } from "../../scripts/package/tarball.ts";
import { attempt } from "../../scripts/run-program.ts";
import { modelServer } from "../hosts/shared/coding-agents/model-server.ts";
import { messages } from "../hosts/shared/coding-agents/wires/messages.ts";

/** Does all that the README offers to try, as it stands there, from the packed package on a machine as good as empty. Needs a build. */
requireBuild();
const MOST_LOOKS = 25;
/** Commands behind a mark. */
const TRY = /^<!-- try: ([\w-]+) -->\n```sh\n(.*?)^```$/gms;

/** A home, a folder to work in, and nothing else but Node, npm and what a system has. */
interface EmptyMachine {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What must have come of a try: of what was printed, and what is left on the machine. Throws where it has not. */
const CHECKS: Readonly<Record<string, (output: string, machine: EmptyMachine) => void | Promise<void>>> = {
  scan(output, { folder }) {
    requireWords(output, "2 of 4 sessions went in circles", "npm test", "Wrote ");
    requireWords(readFileSync(join(folder, "report.html"), "utf8"), '"kind":"repeated-call"');
  },
  async hook(output, machine) {
    requireWords(output, "Wired: Claude Code.", ' of a loop: "[doomloop]');
    await loopInClaudeCode(machine);
  },
};

const tries = [...readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8").matchAll(TRY)];
const root = mkdtempSync(join(tmpdir(), "doomloop-readme-"));
try {
  const offered = tries.map(([, name]) => name).join();
  if (offered !== "hook,scan") throw new Error(`README.md: a try of hook and one of scan are required, got ${offered}`);
  const tarball = pack(root);
  for (const [, name = "", commands = ""] of tries)
    await attempt(name, () => follow(name, commands, tarball)).catch(() => {
      process.exitCode = 1;
    });
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
}

/** Types the commands in one shell. Only doomloop comes from its tarball, installed first, and `--yes` stands for a person who agrees. */
async function follow(name: string, commands: string, tarball: string): Promise<void> {
  // Claude Code itself comes with its SDK, which is tested anyway.
  const claude = join(
    installHost("claude-agent-sdk"),
    `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`,
  );
  const machine = createEmptyMachine(name, claude);
  const typed = commands
    .replaceAll(/^npm install --global .*doomloop\b.*$/gm, "")
    .replaceAll(/^doomloop init$/gm, "doomloop init claude-code --yes")
    .replaceAll(/^doomloop doctor$/gm, "doomloop doctor claude-code");
  const output = await run(machine, "bash", ["-c", `set -eu\nnpm install --global '${tarball}'\n${typed}`]);
  await CHECKS[name]!(output, machine);
}

function createEmptyMachine(name: string, programs: string): EmptyMachine {
  const [home, folder] = [join(root, name, "home"), join(root, name, "work")];
  for (const each of [home, folder]) mkdirSync(each, { recursive: true });
  const path = [programs, dirname(process.execPath), join(home, ".npm-global/bin"), process.env.PATH ?? ""];
  // How this machine reaches npm's registry, and what it has downloaded before: that is as good as downloading it again.
  const { NODE_EXTRA_CA_CERTS, npm_config_cache = join(homedir(), ".npm") } = process.env;
  const { npm_config_userconfig = join(homedir(), ".npmrc") } = process.env;
  const npm = { npm_config_userconfig, npm_config_cache, npm_config_update_notifier: "false" };
  const own = { HOME: home, USERPROFILE: home, npm_config_prefix: join(home, ".npm-global"), NO_COLOR: "1" };
  return {
    folder,
    env: { PATH: path.join(delimiter), ...npm, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...own },
  };
}

/** Claude Code itself, with the settings that were written, and a model that looks at one file until it reads the guard's words, which must come. */
async function loopInClaudeCode(machine: EmptyMachine): Promise<void> {
  const look = { tool: "Bash", args: { command: "cat notes.txt", description: "Looks" } };
  const isTold = (): boolean => server.requests.at(-1)?.includes("[doomloop] This exact") === true;
  // A hook says nothing where a slow machine gives it no time, so it gets many chances.
  const server = await modelServer(messages, (request) =>
    isTold() || request > MOST_LOOKS ? { text: "I give up." } : { calls: [look] },
  );
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" };
  const env = { ...machine.env, ...quiet, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "none" };
  try {
    writeFileSync(join(machine.folder, "notes.txt"), "nothing was found\n");
    const words = ["-p", "Go.", "--model", "claude-sonnet-4-5", "--allowedTools", "Bash"];
    await run({ ...machine, env }, "claude", words);
    if (!isTold()) throw new Error(`Claude Code was not told in ${server.requests.length} turns`);
  } finally {
    server.close();
  }
}

/** Runs a program on the machine, for five minutes at most, as the README says. Throws with all that it printed if it fails. */
function run({ folder, env }: EmptyMachine, program: string, words: readonly string[]): Promise<string> {
  const child = spawn(program, words, { cwd: folder, env, timeout: 300_000, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => (output += piece));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(output) : fail(new Error(`ended with ${code}:\n${output}`))));
  });
}

function requireWords(text: string, ...wanted: readonly string[]): void {
  for (const words of wanted)
    if (!text.includes(words)) throw new Error(`${JSON.stringify(words)} is missing in:\n${text.slice(0, 4000)}`);
}
