import type { Action } from "../core/decision.ts";
import { detectors } from "../core/detectors/index.ts";

/**
 * Names of attributes. Those that begin with `gen_ai.` are OpenTelemetry's; the others have no convention.
 *
 * What carries an identity (runs, arguments, fingerprints, workers, tenants) has no name here, and is never exported.
 */
export const ATTRIBUTES = {
  kind: "doomloop.finding.kind",
  count: "doomloop.finding.count",
  action: "doomloop.decision.action",
  nudgeOutcome: "doomloop.nudge.outcome",
  fleetState: "doomloop.fleet.state",
  flushOutcome: "doomloop.flush.outcome",
  tool: "gen_ai.tool.name",
  tokenType: "gen_ai.token.type",
  evaluationName: "gen_ai.evaluation.name",
  evaluationScore: "gen_ai.evaluation.score.value",
  evaluationLabel: "gen_ai.evaluation.score.label",
} as const;

/** Stands for every value that is not among those that are counted apart. */
export const OTHER = "other";

const KINDS: ReadonlySet<unknown> = new Set([...Object.keys(detectors), "fleet"]);
export const ACTIONS = ["continue", "nudge", "block", "restart", "stop"] as const satisfies readonly Action[];

/** A finding's kind as an attribute. A host's `onDecision` may put anything in its place. */
export function kindLabel(kind: unknown): string {
  return KINDS.has(kind) ? (kind as string) : OTHER;
}

export function actionLabel(action: unknown): string {
  return ACTIONS.includes(action as Action) ? (action as Action) : OTHER;
}
