import { toolKey } from "../../../doomloop/src/scan/report/words.ts";

/** One name for each tool: its most frequent spelling, of equally frequent ones the first. */
export function toolSpellings(tools: readonly string[]): (tool: string) => string {
  const counts = new Map<string, Map<string, number>>();
  for (const tool of tools) {
    const spellings = counts.get(toolKey(tool)) ?? new Map<string, number>();
    counts.set(toolKey(tool), spellings.set(tool, (spellings.get(tool) ?? 0) + 1));
  }
  const names = new Map(
    [...counts].map(([key, spellings]) => [
      key,
      [...spellings].reduce((most, other) => (other[1] > most[1] ? other : most))[0],
    ]),
  );
  return (tool) => names.get(toolKey(tool)) ?? tool;
}
