import type { Action } from "../core/decision.ts";
import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";
import { DETECTOR_KINDS } from "../core/finding.ts";

/**
 * Names of attributes. Those that begin with `gen_ai.` are OpenTelemetry's; there is no convention for the others.
 *
 * Anything that identifies somebody (runs, arguments, fingerprints, workers, tenants) has no name here and is never exported.
 */
export const ATTRIBUTES = {
  kind: "doomloop.finding.kind",
  count: "doomloop.finding.count",
  action: "doomloop.decision.action",
  nudgeOutcome: "doomloop.nudge.outcome",
  questionReason: "doomloop.question.reason",
  opinionVerdict: "doomloop.opinion.verdict",
  fleetState: "doomloop.fleet.state",
  flushOutcome: "doomloop.flush.outcome",
  tool: "gen_ai.tool.name",
  tokenType: "gen_ai.token.type",
  evaluationName: "gen_ai.evaluation.name",
  evaluationScore: "gen_ai.evaluation.score.value",
  evaluationLabel: "gen_ai.evaluation.score.label",
} as const;

/** Stands for every value that is not counted by its own name. */
export const OTHER = "other";

const KINDS: ReadonlySet<unknown> = new Set([...DETECTOR_KINDS, "fleet", "opinion"]);
export const ACTIONS = ["continue", "nudge", "block", "restart", "stop"] as const satisfies readonly Action[];

/** A finding's kind as an attribute. A host's `onDecision` may have replaced it with anything. */
export function kindLabel(kind: unknown): string {
  return KINDS.has(kind) ? (kind as string) : OTHER;
}

export function actionLabel(action: unknown): string {
  return ACTIONS.includes(action as Action) ? (action as Action) : OTHER;
}

/** Only such names may become an attribute's value. Any other name could contain anything, even a secret. */
const IDENTIFIER = /^[A-Za-z][\w.-]{0,63}$/;
const MAX_TOOLS = 1000;
/** The label of a loop over more than one tool. */
const SEVERAL = "several";

export interface ToolLabelOptions {
  /**
   * The tools that are counted by name; all others are counted as `other`.
   * @default the first `maxTools` tools that are found
   */
  readonly tools?: readonly string[];
  /**
   * How many tools are counted by name if `tools` is not given.
   * @default 32
   */
  readonly maxTools?: number;
}

/** Maps the tools of a finding to one value of a bounded set; undefined for a finding without tools. */
export function createToolLabels(options: ToolLabelOptions = {}): (tools: unknown) => string | undefined {
  const { tools, maxTools = 32 } = options;
  requireInteger("telemetry: maxTools", maxTools, 0, MAX_TOOLS);
  if (tools !== undefined) requireNames(tools);
  const named = new Set<unknown>(tools);

  const labelOf = (tool: unknown): string => {
    if (named.has(tool)) return tool as string;
    const hasRoom = tools === undefined && named.size < maxTools;
    if (!hasRoom || typeof tool !== "string" || !IDENTIFIER.test(tool)) return OTHER;
    named.add(tool);
    return tool;
  };

  return (found) => {
    if (!Array.isArray(found) || found.length === 0) return undefined;
    return found.some((tool) => tool !== found[0]) ? SEVERAL : labelOf(found[0]);
  };
}

function requireNames(tools: readonly string[]): void {
  const isList = Array.isArray(tools) && tools.length <= MAX_TOOLS;
  if (isList && tools.every((tool) => typeof tool === "string" && IDENTIFIER.test(tool))) return;
  throw new DoomloopError(
    "invalid-option",
    `telemetry: tools: at most ${MAX_TOOLS} names are required, each an identifier of at most 64 characters, got others`,
  );
}
