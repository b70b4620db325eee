import { createConfiguredGuard, type GuardConfig } from "../../packages/doomloop/src/counting/configured-guard.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";
import { keepFile, readText } from "../repository.ts";

const FILE = "clients/conformance.jsonl";

/** One run as the file has it: what a client sends, and what the service must answer. */
interface ConformanceRun {
  readonly run: string;
  /** The policy to ask for. Without one, the service's usual policy. */
  readonly policy?: GuardConfig["preset"];
  readonly options?: GuardConfig;
  readonly events: readonly AgentEvent[];
  /** The answers other than a plain `continue`, each with the index of its event. */
  readonly decisions: readonly object[];
}

/** The file that clients in any language play to the service: the runs stay, and what today's guard decides about them is written anew. */
export function keepConformance(): readonly string[] {
  const runs = readText(FILE).trimEnd().split("\n");
  const lines = runs.map((line) => {
    const run = JSON.parse(line) as ConformanceRun;
    // Some languages end a line at U+2028.
    return `${JSON.stringify({ ...run, decisions: decisionsOf(run) }).replaceAll("\u2028", "\\u2028")}\n`;
  });
  return keepFile(FILE, lines.join(""));
}

function decisionsOf({ policy, options, events }: ConformanceRun): readonly object[] {
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const guard = createConfiguredGuard({ ...(policy && { preset: policy }), ...options, onFault }, platform);
  return events.flatMap((sent, event) => {
    const { action, finding, ...rest } = guard.observe(sent);
    const { would } = rest as { would?: string };
    if (action === "continue" && would === undefined) return [];
    return [{ event, action, ...(would && { would }), ...(finding && { kind: finding.kind, count: finding.count }) }];
  });
}
