import { availableParallelism, cpus } from "node:os";
import type { Clock } from "./clock.ts";
import type { EntrySize } from "./entry-sizes.ts";
import type { Goal } from "./goal.ts";

/** How far over a goal a check lets a noisy machine go: 25 %. */
export const TOLERANCE = 0.25;

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

/** Whether a goal, or the limit in its place, is met as far as a noisy machine can tell. */
export function isTolerable({ measured, goal, limit = goal }: Goal): boolean {
  return measured <= limit * (1 + TOLERANCE);
}

export function toMarkdown({ machine, goals, sizes }: Report): string {
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
