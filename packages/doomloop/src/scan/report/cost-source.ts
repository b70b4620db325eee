import type { CostFrom } from "./report.ts";

/** Where a session's cost is from, to stand behind the figure; undefined where there is no cost. */
export function costSourceInWords(costFrom: CostFrom | null, pricesAsOf: string | null): string | undefined {
  const prices = pricesAsOf === null ? "list prices" : `list prices of ${pricesAsOf}`;
  switch (costFrom) {
    case "recorded":
      return "as the agent recorded it";
    case "priced":
      return `by ${prices}`;
    case "estimated":
      return `estimated from text, by ${prices}`;
    default:
      return undefined;
  }
}
