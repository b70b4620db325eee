import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { hostNames, installHost } from "./install-host.ts";

/**
 * Runs every example as a user does, from the packed package in a project of its own. Needs a build. Names choose among them.
 *
 * An example uses the packages of the host with the same name, or those that are named here.
 */
const packages: Readonly<Record<string, string>> = { "fleet-redis": "../stores" };
/** Words that an example prints only if it shows what it is there to show; the others end with a code of their own. */
const expected: Readonly<Record<string, string>> = {
  "ai-sdk": "Ended after 6 of 30 steps. Stopped: the agent called `search`",
  "first-guard": "Stopped: the agent called `read_file`",
  "start-over": "The file is as it was:\nexport const parse = (text) => text.split(',');",
};
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "doomloop-examples-"));
const project = join(folder, "project");
const chosen = process.argv.slice(2);
const examples = globSync("examples/*/main.ts", { cwd: root }).sort();
let failed = 0;

try {
  install();
  const wanted = examples.filter((example) => chosen.length === 0 || chosen.includes(nameOf(example)));
  for (const example of wanted) bring(example);
  attempt("types of the examples", () => checkTypes(wanted));
  for (const example of wanted) attempt(example, () => runExample(example));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function install(): void {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "packages/doomloop"),
    encoding: "utf8",
  });
  const [{ filename }] = Object.values(JSON.parse(packed) as Record<string, { filename: string }>) as [
    { filename: string },
  ];
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "examples", private: true, type: "module" }));
  const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename)];
  execFileSync("npm", words, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
}

/** Copies an example into the project, with the packages of its host beside it. */
function bring(example: string): void {
  const home = dirname(example);
  const host = packages[basename(home)] ?? basename(home);
  cpSync(join(root, home), join(project, home), {
    recursive: true,
    filter: (path) => basename(path) !== "node_modules",
  });
  if (hostNames().includes(host) || Object.values(packages).includes(host))
    symlinkSync(installHost(host), join(project, home, "node_modules"), "junction");
}

function runExample(example: string): string {
  const output = run(process.execPath, ["main.ts"], dirname(example));
  const words = expected[nameOf(example)] ?? "";
  if (!output.includes(words)) throw new Error(`it does not print ${words}, but:\n${output}`);
  return output;
}

function checkTypes(files: readonly string[]): string {
  const base = { strict: true, noEmit: true, target: "es2023", module: "nodenext", skipLibCheck: true };
  const more = {
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  };
  const compilerOptions = { ...base, ...more, types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  return run(join(root, "node_modules/.bin/tsc"), ["--project", "tsconfig.json"]);
}

function attempt(title: string, action: () => string): void {
  const start = performance.now();
  try {
    const output = action();
    console.log(`ok   ${title} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    if (chosen.length > 0) console.log(output);
  } catch (fault) {
    failed++;
    const { message, stdout = "", stderr = "" } = fault as Error & { stdout?: string; stderr?: string };
    console.log([`FAIL ${title}`, message.split("\n")[0], stdout, stderr].filter(Boolean).join("\n"));
  }
}

function run(program: string, words: string[], folder = "."): string {
  return execFileSync(program, words, {
    cwd: join(project, folder),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function nameOf(example: string): string {
  return basename(dirname(example));
}
