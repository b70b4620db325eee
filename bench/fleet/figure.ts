import { availableParallelism, cpus } from "node:os";

/** A number that the project holds itself to, or only states, as it was measured. */
export interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly unit: "x" | "%" | "bytes" | "/s" | "µs";
  /** Left out: only stated. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
  /** What a check holds it to where the goal is not reached yet, so that it does not get worse unnoticed. */
  readonly limit?: number;
  readonly detail: string;
}

/** How far beside a goal a check lets a noisy machine go: 25 %. */
export const TOLERANCE = 0.25;

export function isMet({ measured, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return "atLeast" in goal ? measured >= goal.atLeast : measured <= goal.atMost;
}

export function isTolerable({ measured, goal, limit }: Figure): boolean {
  if (goal === undefined) return true;
  if ("atLeast" in goal) return measured >= (limit ?? goal.atLeast) * (1 - TOLERANCE);
  return measured <= (limit ?? goal.atMost) * (1 + TOLERANCE);
}

export function toMarkdown(figures: readonly Figure[], server: string): string {
  const rows = figures.map((figure) => {
    const { what, measured, unit, goal, detail } = figure;
    const word = goal === undefined ? "" : isMet(figure) ? "pass" : "miss";
    return `| ${what} | ${shown(measured)} ${unit} | ${goalText(figure)} | ${word} | ${detail} |`;
  });
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const machine = `${availableParallelism()} cores, ${model}, ${process.platform} ${process.arch}, Node ${process.version}, ${server}`;
  return ["| what | measured | goal | | how |", "|---|--:|--:|---|---|", ...rows, "", `Measured on ${machine}.`].join(
    "\n",
  );
}

function goalText({ goal, unit }: Figure): string {
  if (goal === undefined) return "";
  return "atLeast" in goal ? `at least ${goal.atLeast} ${unit}` : `at most ${goal.atMost} ${unit}`;
}

function shown(measured: number): string {
  return measured >= 100 ? Math.round(measured).toLocaleString("en") : measured.toFixed(2);
}
