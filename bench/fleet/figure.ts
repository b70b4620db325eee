import { availableParallelism, cpus } from "node:os";
import { rounded, toTable } from "./table.ts";

/** A number that the project holds itself to, as it was measured. */
export interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly unit: "x" | "%" | "µs" | "ms" | "s";
  readonly goal: { readonly atMost: number };
}

/** How far beside a goal a check lets a noisy machine go: 25 %. */
export const TOLERANCE = 0.25;

export function isMet({ measured, goal }: Figure): boolean {
  return measured <= goal.atMost;
}

export function isTolerable({ measured, goal }: Figure): boolean {
  return measured <= goal.atMost * (1 + TOLERANCE);
}

export function goalTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, measured, unit, goal } = figure;
    return [what, `${rounded(measured, 1)} ${unit}`, `at most ${goal.atMost} ${unit}`, isMet(figure) ? "pass" : "miss"];
  });
  return toTable(["what", "measured", "goal", ""], rows);
}

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${availableParallelism()} cores, ${model}, ${process.platform} ${process.arch}, Node ${process.version}`;
}
