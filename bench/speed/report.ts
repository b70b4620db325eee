import { statSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { resolve } from "node:path";
import { importPaths, loadedFiles, packageHome } from "../../scripts/package/manifest.ts";
import type { Clock, Goal } from "./measure.ts";

/** By how much a check may miss a goal, because machines are noisy: 25 %. */
export const TOLERANCE = 0.25;

/** How much code an import path loads. */
interface EntrySize {
  readonly path: string;
  readonly ownBytes: number;
  /** With all files that it loads immediately; files that are loaded on demand do not count. */
  readonly bytes: number;
  readonly files: number;
}

export interface Report {
  readonly machine: string;
  readonly goals: readonly (Goal & { readonly isMet: boolean })[];
  readonly sizes: readonly EntrySize[];
}

export function createReport(clock: Clock, goals: readonly Goal[], sizes: readonly EntrySize[]): Report {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return {
    machine: `${availableParallelism()} cores, ${model}, ${process.platform} ${process.arch}, Node ${process.version}, ${clock.name}`,
    goals: goals.map((goal) => ({ ...goal, isMet: goal.measured <= goal.goal })),
    sizes,
  };
}

/** Whether a goal, or its limit, is met within the tolerance. */
export function isTolerable({ measured, goal, limit = goal }: Goal): boolean {
  return measured <= limit * (1 + TOLERANCE);
}

export function toMarkdown(report: Report): string {
  const { machine, goals } = report;
  const rows = goals.map(({ what, measured, goal, unit, detail, isMet }) => {
    return `| ${what} | ${measured.toFixed(2)} ${unit} | ${goal} ${unit} | ${isMet ? "pass" : "miss"} | ${detail} |`;
  });
  return [
    "| what | measured | goal | | how |",
    "|---|--:|--:|---|---|",
    ...rows,
    "",
    `Measured on ${machine}.`,
    "",
    sizesTable(report),
  ].join("\n");
}

export function sizesTable({ sizes }: Report): string {
  return [
    "| import path | own code | with all that it loads | files |",
    "|---|--:|--:|--:|",
    ...sizes.map(
      ({ path, ownBytes, bytes, files }) => `| ${path} | ${kilobytes(ownBytes)} | ${kilobytes(bytes)} | ${files} |`,
    ),
  ].join("\n");
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Measures the built package. Throws if it is not built. */
export function entrySizes(): EntrySize[] {
  return [...importPaths(), ["the command line", "./dist/cli/main.js"] as const].map(([path, file]) => {
    const sizes = [...loadedFiles(resolve(packageHome, file))].map((name) => statSync(name).size);
    return { path, ownBytes: sizes[0]!, bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  });
}
