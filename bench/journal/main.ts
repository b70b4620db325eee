import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../../packages/doomloop/src/agents/journal/journal.ts";

/** How long an update of a hook's state takes, in a process that has made many and in one that makes its first. Prints a table. */
const SIZES = [2_000, 20_000, 64_000];
const UPDATES = 1000;
const PROCESSES = 30;
const folder = mkdtempSync(join(tmpdir(), "doomloop-bench-"));

console.log(
  "| state | update: median | 99 % | first of a process: median | loading what it needs: median |\n|---|---|---|---|---|",
);
for (const bytes of SIZES) {
  const times = manyUpdates(bytes);
  const firsts = Array.from({ length: PROCESSES }, () => firstUpdate(bytes));
  const cells = [
    share(times, 0.5),
    share(times, 0.99),
    share(
      firsts.map(({ updateMs }) => updateMs),
      0.5,
    ),
    share(
      firsts.map(({ loadMs }) => loadMs),
      0.5,
    ),
  ];
  console.log(`| ${bytes / 1000} KB | ${cells.map((ms) => `${ms.toFixed(2)} ms`).join(" | ")} |`);
}
rmSync(folder, { recursive: true });

function manyUpdates(bytes: number): number[] {
  const journal = openJournal<string>({ directory: folder, session: `many ${bytes}` });
  const state = "x".repeat(bytes);
  return Array.from({ length: UPDATES }, () => {
    const start = performance.now();
    const { isKept } = journal.update(() => ({ state, result: undefined }));
    if (!isKept) throw new Error("An update was not kept.");
    return performance.now() - start;
  });
}

/** In a process of its own, on a file as long as it is on average. */
function firstUpdate(bytes: number): { loadMs: number; updateMs: number } {
  const words = [join(import.meta.dirname, "first-update.ts"), folder, `many ${bytes}`, String(bytes)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as {
    loadMs: number;
    updateMs: number;
  };
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1]!;
}
