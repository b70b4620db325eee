import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
/** Programs whose package has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  attw: "@arethetypeswrong/cli",
  biome: "@biomejs/biome",
  changeset: "@changesets/cli",
  tsc: "typescript",
};

/**
 * The file of an installed program, for `process.execPath` to run. What npm puts into `.bin` is a script for a shell on Windows, and a shell
 * would read the arguments anew. Throws if the package is not installed.
 */
export function programOf(name: string, packages: string = join(root, "node_modules")): string {
  const home = join(packages, PACKAGES[name] ?? name);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const file = typeof bin === "string" ? bin : bin[name];
  if (file === undefined) throw new Error(`run-program: a program ${name} is required in ${home}`);
  return join(home, file);
}

/** Runs an installed program in the repository, shows what it prints, and returns whether it ended well. */
export function runProgram(name: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(process.execPath, [programOf(name), ...words], { cwd: root, env, stdio: "inherit" }).status === 0;
}

/** Runs npm and returns what it prints. Throws, with what it says about its failure, if it fails. */
export function npm(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  // On Windows, npm is a script for a shell.
  const shell = process.platform === "win32";
  return execFileSync("npm", words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell });
}

/** How many seconds have passed, in words. */
export function secondsSince(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Does something, and prints whether that went well, what it returned and how long it took. Throws what it throws. */
export async function attempt<Result>(title: string, action: () => Result): Promise<Awaited<Result>> {
  const start = performance.now();
  try {
    const result = await action();
    console.log(`ok   ${title}${typeof result === "string" ? `: ${result}` : ""} (${secondsSince(start)})`);
    return result;
  } catch (fault) {
    const { message, stdout = "", stderr = "" } = fault as Error & { stdout?: string; stderr?: string };
    const output = stdout + stderr;
    console.log(`FAIL ${title}\n${output === "" ? message : `${message.split("\n")[0]}\n${output}`}`);
    throw fault;
  }
}
