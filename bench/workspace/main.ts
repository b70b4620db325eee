import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";

/**
 * Measures how long checkpoints and restores take. Prints a table.
 *
 * `main.ts [--files N] [--rounds N] [--check]`. The figures are medians of all rounds; each round changes ten files.
 */
const { values: asked } = parseArgs({
  options: {
    files: { type: "string", default: "5000" },
    rounds: { type: "string", default: "15" },
    check: { type: "boolean", default: false },
  },
});
const FILES_PER_FOLDER = 20;
const CHANGES = 10;
const GOAL_MS = 200;
const files = Number(asked.files);
const home = mkdtempSync(join(tmpdir(), "doomloop-bench-"));
const root = join(home, "root");

try {
  for (let at = 0; at < files; at++) {
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folderOf(at), { recursive: true });
    writeFileSync(pathOf(at), `// file ${at}\n${"export const line = 1;\n".repeat(40 + (at % 160))}`);
  }
  const workspace = createWorkspace({ root, stateDirectory: join(home, "state") });
  const [first] = await timed(() => workspace.checkpoint());
  const unchanged: number[] = [];
  const changed: number[] = [];
  const restored: number[] = [];
  for (let round = 0; round < Number(asked.rounds); round++) {
    const [quiet, { id }] = await timed(() => workspace.checkpoint());
    for (let at = 0; at < CHANGES; at++) appendFileSync(pathOf((round * 7 + at * 31) % files), `// round ${round}\n`);
    const [busy] = await timed(() => workspace.checkpoint());
    const [back] = await timed(() => workspace.restore(id));
    unchanged.push(quiet);
    changed.push(busy);
    restored.push(back);
  }
  const after = median(changed);
  console.log("| what | ms | goal |\n|---|--:|--:|");
  row(`first checkpoint, ${files} files`, first);
  row("checkpoint, nothing changed", median(unchanged), GOAL_MS);
  row(`checkpoint, ${CHANGES} files changed`, after, GOAL_MS);
  row(`slowest of ${asked.rounds} such`, Math.max(...changed));
  row(`restore of ${CHANGES} files, with its safety checkpoint`, median(restored));
  if (asked.check && Math.max(after, median(unchanged)) > GOAL_MS) process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function timed<Result>(action: () => Promise<Result>): Promise<[ms: number, result: Result]> {
  const start = performance.now();
  const result = await action();
  return [performance.now() - start, result];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function row(what: string, ms: number, goal?: number): void {
  console.log(`| ${what} | ${ms.toFixed(0)} | ${goal === undefined ? "" : `at most ${goal}`} |`);
}

function folderOf(at: number): string {
  const folder = Math.floor(at / FILES_PER_FOLDER);
  return join(root, "src", `part-${folder % 16}`, `folder-${folder}`);
}

function pathOf(at: number): string {
  return join(folderOf(at), `file-${at}.ts`);
}
