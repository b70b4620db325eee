import type { Cell, Steadiness } from "../../steadiness/measure-steadiness.ts";
import { shareOf } from "../share.ts";
import { toTable } from "./table.ts";

const SHOWN = 24;

/** Steadiness by groups of changes, and what does not hold. */
export function steadinessToMarkdown({ loops, honest, ...figures }: Steadiness): string {
  const groups = [...new Set([...loops, ...honest].map(({ group }) => group))];
  const rows = groups.map((group) => [group, ...cellsOf(loops, group), ...cellsOf(honest, group)]);
  const failed = [...loops, ...honest].filter(({ isHeld }) => !isHeld);
  const byChange = new Map<string, Cell[]>();
  for (const cell of failed) {
    const name = `${cell.group}: ${cell.change}`;
    byChange.set(name, [...(byChange.get(name) ?? []), cell]);
  }
  const worst = [...byChange].sort(([, one], [, other]) => other.length - one.length).slice(0, SHOWN);
  return [
    ...toTable(["told in another way", "loops", "hold", "healthy runs", "hold"], rows, 1),
    "",
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value < 1 ? percent(value) : value}`),
    "",
    ...worst.map(([name, cells]) => `- ${name}: ${cells.length}, for example ${exampleOf(cells[0]!)}`),
  ].join("\n");
}

function cellsOf(cells: readonly Cell[], group: string): string[] {
  const own = cells.filter((cell) => cell.group === group);
  return [`${own.length}`, own.length === 0 ? "" : percent(shareOf(own, ({ isHeld }) => isHeld))];
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

function exampleOf({ script, base, got }: Cell): string {
  const shown = ({ told, refused, ended }: Cell["base"]): string =>
    [told, refused, ended].map((call) => (call === Infinity ? "never" : call)).join("/");
  return `${script}, ${shown(base)} becomes ${shown(got)}`;
}
