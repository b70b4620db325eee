import { globSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { createPackedProject } from "./examples/packed-project.ts";
import { requireBuild } from "./package/require-build.ts";

/**
 * Runs every example as a user does, from the packed package in a project of its own, and checks the types of the code on the pages there.
 * Needs a build. Names choose among the examples, and among the folders of `docs/snippets`.
 */
requireBuild();
const root = resolve(import.meta.dirname, "..");
/** Words that an example prints only if it shows what it is there to show; the others end with a code of their own. */
const expected: Readonly<Record<string, string>> = {
  "ai-sdk": "Ended after 20 of 30 steps. Stopped: the agent called `read_file`",
  "first-guard": "Stopped: the agent called `read_file`",
  languages: "[doomloop] `read_file` を同じ引数で 3 回",
  "own-detector": "You emptied the cart and filled it again 3 times.",
  "serverless-file": "Stopped: the agent called `read_file`",
  "start-over": "The file is as it was:\nexport const parse = (text) => text.split(',');",
};
const chosen = process.argv.slice(2);
const examples = findWanted("examples/*/main.ts");
const snippets = findWanted("docs/snippets/*/*.ts");
const project = createPackedProject();
let failed = 0;

try {
  for (const folder of new Set([...examples, ...snippets].map((file) => dirname(file)))) project.bring(folder);
  attempt("types of the examples, and of the code on the pages", () => project.checkTypes([...examples, ...snippets]));
  for (const example of examples) attempt(example, () => runExample(example));
} finally {
  project.remove();
}
process.exitCode = failed === 0 ? 0 : 1;

function runExample(example: string): string {
  const output = project.run(process.execPath, ["main.ts"], dirname(example));
  const words = expected[nameOf(example)] ?? "";
  if (!output.includes(words)) throw new Error(`it does not print ${words}, but:\n${output}`);
  return output;
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

function findWanted(pattern: string): string[] {
  const files = globSync(pattern, { cwd: root }).sort();
  return chosen.length === 0 ? files : files.filter((file) => chosen.includes(nameOf(file)));
}

function nameOf(example: string): string {
  return basename(dirname(example));
}
