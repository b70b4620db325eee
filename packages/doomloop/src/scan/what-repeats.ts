import type { Finding } from "../core/detectors/index.ts";
import { shownTool } from "./shown-tool.ts";

const MAX_SHOWN = 3;

/** One line on what repeats in a finding: tools and base names, or what the loop is if it has no calls. */
export function whatRepeats(finding: Finding, labelOf: (call: number) => string | undefined): string {
  switch (finding.kind) {
    case "repeated-text":
      return "the same words";
    case "text-only":
      return "answers without a call";
    case "call-cycle":
      return (
        listed(labelsOf(finding.steps.slice(-finding.period), labelOf), " > ") ||
        finding.tools.map(shownTool).join(" > ")
      );
    default:
      return listed(labelsOf(finding.steps, labelOf), ", ") || finding.tools.map(shownTool).join(", ");
  }
}

/** Each once, in the order of their first coming. */
function labelsOf(steps: readonly number[], labelOf: (call: number) => string | undefined): readonly string[] {
  return [...new Set(steps.map(labelOf).filter((label) => label !== undefined))];
}

function listed(labels: readonly string[], separator: string): string {
  const shown = labels.slice(0, MAX_SHOWN).join(separator);
  return labels.length > MAX_SHOWN ? `${shown}${separator}${labels.length - MAX_SHOWN} more` : shown;
}
