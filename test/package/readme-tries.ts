import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** One thing to try, as a page tells it: files to save and commands to type, in the order in which they stand there. */
export interface Try {
  readonly name: string;
  readonly steps: readonly TryStep[];
}

type TryStep =
  | { readonly kind: "save"; readonly file: string; readonly text: string }
  | { readonly kind: "type"; readonly commands: string };

/** A home, a folder to work in, and nothing else but Node, npm and what a system has. */
export interface EmptyMachine {
  readonly home: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const MARK = /^<!-- try: ([\w-]+) -->$/;
const SAVE = /^Save this as `([\w.-]+)`:$/;
const FENCE = /^```(\w*)$/;
/** Against hanging only: the five minutes are counted by whoever calls. */
const LONGEST_MS = 600_000;

/**
 * Reads what a page offers to try. A try begins at its mark and ends with the next heading; code that stands behind "Save this as" is
 * a file, and blocks of `sh` are commands. Other blocks are there to be looked at.
 */
export function readTries(markdown: string): readonly Try[] {
  const tries: { name: string; steps: TryStep[] }[] = [];
  let steps: TryStep[] | undefined;
  let file: string | undefined;
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [, name] = MARK.exec(line) ?? [];
    if (name !== undefined) {
      steps = [];
      tries.push({ name, steps });
    }
    if (line.startsWith("## ")) steps = undefined;
    file = SAVE.exec(line)?.[1] ?? file;
    const [, language] = FENCE.exec(line) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const text = `${lines.slice(at + 1, end).join("\n")}\n`;
    if (file !== undefined) steps?.push({ kind: "save", file, text });
    else if (language === "sh") steps?.push({ kind: "type", commands: text });
    file = undefined;
    at = end;
  }
  return tries;
}

export function createEmptyMachine(name: string, programs: readonly string[] = []): EmptyMachine {
  const root = mkdtempSync(join(tmpdir(), `doomloop-try-${name}-`));
  const home = join(root, "home");
  const folder = join(root, "work");
  for (const each of [home, folder]) mkdirSync(each);
  const path = [...programs, dirname(process.execPath), join(home, ".npm-global/bin"), process.env.PATH ?? ""];
  const own = { HOME: home, USERPROFILE: home, npm_config_prefix: join(home, ".npm-global"), NO_COLOR: "1" };
  return { home, folder, env: { PATH: path.join(delimiter), ...npmSettings(), ...own } };
}

/** How this machine reaches npm's registry, and what it has downloaded before: that is as good as downloading it again. */
function npmSettings(): Readonly<Record<string, string>> {
  const { NODE_EXTRA_CA_CERTS, npm_config_cache = join(homedir(), ".npm") } = process.env;
  return {
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), ".npmrc"),
    npm_config_cache,
    npm_config_update_notifier: "false",
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
  };
}

/**
 * Does what a page says, as it stands there, in one shell. Only doomloop comes from its tarball, installed first, and `--yes` stands for a
 * person who agrees. Returns what is printed.
 */
export async function follow(machine: EmptyMachine, steps: readonly TryStep[], tarball: string): Promise<string> {
  let commands = `set -eu\nnpm install --global '${tarball}'\n`;
  for (const step of steps) {
    if (step.kind === "save") writeFileSync(join(machine.folder, step.file), step.text);
    else
      commands += step.commands
        .replaceAll(/^npm install --global .*doomloop\b.*$/gm, "")
        .replaceAll(/^doomloop init$/gm, "doomloop init claude-code --yes")
        .replaceAll(/^doomloop doctor$/gm, "doomloop doctor claude-code");
  }
  return runIn(machine, "bash", ["-c", commands]);
}

/** Runs a program on the machine. Throws with all that it printed if it fails. */
export function runIn(
  { folder, env }: EmptyMachine,
  program: string,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...env, ...more },
    timeout: LONGEST_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => (output += piece));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => (code === 0 ? done(output) : fail(new Error(`ended with ${code}:\n${output}`))));
  });
}
