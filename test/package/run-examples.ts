import { cpSync, globSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hostNames, installHost } from "../../scripts/install-packages.ts";
import { attempt } from "../../scripts/run-program.ts";
import { createPackedProject } from "./packed-project.ts";

/**
 * Runs every example as a user does, from the packed package in a project of its own, and checks the types of the code on the pages there.
 * Needs a build. Names choose among the examples, and among the folders of `docs/snippets`.
 */
const root = resolve(import.meta.dirname, "../..");
/** Words that an example prints only if it shows what it is there to show; the others end with a code of their own. */
const EXPECTED: Readonly<Record<string, string>> = {
  adk: "The run ended after 20 of 30 requests. Stopped: the agent called `read_file`",
  "ai-sdk": "Ended after 20 of 30 steps. Stopped: the agent called `read_file`",
  "first-guard": "Stopped: the agent called `read_file`",
  languages: "[doomloop] `read_file` を同じ引数で 3 回",
  "second-opinion": "A review saw no progress",
  "serverless-file": "Stopped: the agent called `read_file`",
  strands: "The run ended after 20 of 30 requests. Stopped: the agent called `read_file`",
  "start-over": "The file is as it was:\nexport const parse = (text) => text.split(',');",
};
/** Folders that use packages of something else than a host of their name. */
const PACKAGES: Readonly<Record<string, string>> = {
  adk: "../examples",
  fleet: "../stores",
  "fleet-postgres": "../stores",
  "fleet-redis": "../stores",
  "serverless-redis": "../stores",
  strands: "../examples",
};
/** Files with something of a framework that its own types refuse under `exactOptionalPropertyTypes`. */
const LENIENT = ["docs/snippets/langchain/migration.ts", "docs/snippets/mcp/agent.ts"];

const chosen = process.argv.slice(2);
const examples = findWanted("examples/*/main.ts");
const all = [...examples, ...findWanted("docs/snippets/*/*.ts")];
const project = createPackedProject();
let failed = 0;
try {
  for (const folder of new Set(all.map((file) => dirname(file)))) bring(folder);
  await count("types of the examples, and of the code on the pages", checkTypes);
  for (const example of examples) await count(example, () => runExample(example));
} finally {
  project.remove();
}
process.exitCode = failed === 0 ? 0 : 1;

async function count(title: string, action: () => void): Promise<void> {
  await attempt(title, action).catch(() => failed++);
}

/** Copies a folder of the repository, with the packages of the host that has its name beside it. */
function bring(folder: string): void {
  const target = join(project.folder, folder);
  const host = PACKAGES[basename(folder)] ?? basename(folder);
  const filter = (path: string) => basename(path) !== "node_modules";
  cpSync(join(root, folder), target, { recursive: true, filter });
  if (hostNames().includes(host) || Object.values(PACKAGES).includes(host))
    symlinkSync(installHost(host), join(target, "node_modules"), "junction");
}

function checkTypes(): void {
  const modern = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true };
  const node = { types: ["node"], typeRoots: [join(root, "node_modules/@types")], skipLibCheck: true };
  for (const exactOptionalPropertyTypes of [true, false]) {
    const group = all.filter((file) => LENIENT.includes(file) !== exactOptionalPropertyTypes);
    const options = { target: "es2023", ...modern, ...node, exactOptionalPropertyTypes };
    if (group.length > 0) project.checkTypes(group, options);
  }
}

function runExample(example: string): void {
  const output = project.node(["main.ts"], dirname(example));
  const words = EXPECTED[basename(dirname(example))] ?? "";
  if (!output.includes(words)) throw new Error(`it does not print ${words}, but:\n${output}`);
  if (chosen.length > 0) console.log(output);
}

function findWanted(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root }).sort();
  return chosen.length === 0 ? files : files.filter((file) => chosen.includes(basename(dirname(file))));
}
