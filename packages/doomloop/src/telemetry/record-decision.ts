import type { Action, Decision } from "../core/decision.ts";
import { ATTRIBUTES, actionLabel, kindLabel } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";
import type { AttributesLike, SpanLike } from "./open-telemetry.ts";

/** The event that OpenTelemetry's GenAI conventions have for a judgement on what a model does. */
const EVALUATION_EVENT = "gen_ai.evaluation.result";

/** A decision as it is counted: what was seen, and what was done about it. */
export type CountedDecision = Pick<Decision, "finding"> & { readonly action: Action };

export interface DecisionRecorder {
  /** Counts a decision and its finding, and notes the finding on the span that is active. */
  record(instruments: Instruments, decision: CountedDecision): void;
}

/** Creates what counts decisions; those without a finding are nothing to count. */
export function createDecisionRecorder(
  toolLabel: (tools: unknown) => string | undefined,
  activeSpan: () => SpanLike | undefined,
): DecisionRecorder {
  return {
    record(instruments, { action, finding }) {
      if (finding === undefined) return;
      const kind = kindLabel(finding.kind);
      const tool = toolLabel(finding.tools);
      const named: AttributesLike = tool === undefined ? {} : { [ATTRIBUTES.tool]: tool };
      instruments.findings.add(1, { [ATTRIBUTES.kind]: kind, ...named });
      instruments.decisions.add(1, { [ATTRIBUTES.action]: actionLabel(action) });
      activeSpan()?.addEvent(EVALUATION_EVENT, {
        [ATTRIBUTES.evaluationName]: "doomloop",
        [ATTRIBUTES.evaluationLabel]: kind,
        ...(Number.isFinite(finding.confidence) && { [ATTRIBUTES.evaluationScore]: finding.confidence }),
        ...(Number.isFinite(finding.count) && { [ATTRIBUTES.count]: finding.count }),
        [ATTRIBUTES.action]: actionLabel(action),
        ...named,
      });
    },
  };
}
