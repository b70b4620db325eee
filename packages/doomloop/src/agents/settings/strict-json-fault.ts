import type { AgentWiring } from "./agent-settings.ts";

/** Why an agent does not load settings that we can read; undefined where it does. */
export function strictJsonFault({ label, isStrict }: AgentWiring, text: string): string | undefined {
  return isStrict !== true || text.trim() === "" || isStrictJson(text)
    ? undefined
    : `${label} loads no settings with comments or a comma before a bracket, so no hook runs; take them out`;
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
