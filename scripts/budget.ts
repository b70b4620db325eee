import { keepFile, listFiles, readText, report } from "./repository.ts";

/**
 * Holds the repository within its budget: lines of TypeScript by folder, and files in git. Without `--check`, lowers each budget to what is
 * measured now. It never raises one: who needs more lines finds what can go first. A reserve is a loan to one planned change, and leaves the
 * file with it.
 */
const FILE = "scripts/budget.json";
const SOURCE = "packages/doomloop/src";
const IS_TEST = /\.test(?:-d)?\.tsx?$/;

interface Budget {
  readonly budgets: Readonly<Record<string, number>>;
  readonly reserves: readonly { readonly of: string; readonly lines: number; readonly for: string }[];
}

if (import.meta.main) report(keepBudgets(), "budgets");

export function keepBudgets(): readonly string[] {
  const { budgets, reserves } = JSON.parse(readText(FILE)) as Budget;
  const measured = measure();
  const faults = Object.entries(measured).flatMap(([name, size]) => {
    const lent = reserves.filter(({ of }) => of === name || (name === "source" && of.startsWith("source, ")));
    const reserve = lent.reduce((sum, { lines }) => sum + lines, 0);
    const budget = budgets[name] ?? 0;
    return size > budget + reserve
      ? [`${name}: ${size}, budget ${budget}${reserve > 0 ? ` and reserve ${reserve}` : ""}`]
      : [];
  });
  const lowered = Object.fromEntries(
    Object.entries(measured).map(([name, size]) => [name, Math.min(size, budgets[name] ?? 0)]),
  );
  return [...faults, ...keepFile(FILE, `${JSON.stringify({ budgets: lowered, reserves }, undefined, 2)}\n`)];
}

function measure(): Record<string, number> {
  const sources = listFiles(`${SOURCE}/*.ts`).filter((file) => !IS_TEST.test(file));
  const folders = new Set(sources.map(folderOf));
  const byFolder = [...folders]
    .sort()
    .map((folder) => [folder, sources.filter((file) => folderOf(file) === folder)] as const);
  const viewer = listFiles("packages/viewer/*.ts", "packages/viewer/*.tsx").filter((file) => !IS_TEST.test(file));
  const tests = [
    ...listFiles("test/*.ts"),
    ...listFiles(`${SOURCE}/*.ts`, "packages/viewer/*.ts", "packages/viewer/*.tsx").filter((file) =>
      IS_TEST.test(file),
    ),
  ];
  return {
    ...Object.fromEntries(byFolder.map(([folder, files]) => [folder, linesOf(files)])),
    source: linesOf(sources),
    "source files": sources.length,
    viewer: linesOf(viewer),
    python: linesOf(listFiles("clients/python/*.py").filter((file) => !file.includes("/tests/"))),
    tests: linesOf(tests),
    bench: linesOf(listFiles("bench/*.ts")),
    scripts: linesOf(listFiles("scripts/*.ts")),
    "files in git": listFiles().length,
  };
}

/** The folder of the source that a file is in; those at the top are together. */
function folderOf(file: string): string {
  const [folder, ...rest] = file.slice(SOURCE.length + 1).split("/");
  return rest.length === 0 ? "source, top files" : `source, ${folder}`;
}

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readText(file).split("\n").length - 1, 0);
}
