import type { Amount } from "../../../doomloop/src/cli/scan/report.ts";
import { formatTokens } from "./format-tokens.ts";
import { formatUsd } from "./format-usd.ts";

/** What something cost, as well as it is known: money, else tokens, else that nobody knows. */
export function formatSpent(spent: { readonly costUsd: Amount | null; readonly tokens: Amount | null }): string {
  if (spent.costUsd !== null) return formatUsd(spent.costUsd);
  return spent.tokens === null ? "unknown" : formatTokens(spent.tokens);
}
