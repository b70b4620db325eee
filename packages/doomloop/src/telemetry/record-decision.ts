import { type Action, type Decision, isOldNews, type OwnDecision } from "../core/decision.ts";
import type { GuardOptions } from "../index.ts";
import { ATTRIBUTES, actionLabel, kindLabel } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";
import type { AttributesLike, SpanLike } from "./open-telemetry.ts";

/** The event that OpenTelemetry's GenAI conventions define for an evaluation of what a model does. */
const EVALUATION_EVENT = "gen_ai.evaluation.result";

/** A decision as it is counted: the finding, and what was done about it. */
type CountedDecision = Pick<Decision, "finding"> & { readonly action: Action };

export interface DecisionRecorder {
  /** Counts a decision and its finding, and adds the finding to the active span. */
  record(instruments: Instruments, decision: CountedDecision): void;
}

/** Creates a recorder. Decisions without a finding are not counted. */
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

/**
 * Returns options whose `onDecision` also records. The guard sees no difference: what the host's own `onDecision` returns or
 * throws is passed on unchanged.
 */
export function observeOptions<Options extends GuardOptions>(
  options: Options,
  record: (decision: CountedDecision) => void,
): Options {
  const { onDecision } = options;
  return {
    ...options,
    onDecision(decision: Decision): OwnDecision | undefined {
      let instead: OwnDecision | undefined;
      try {
        instead = onDecision?.(decision) ?? undefined;
      } finally {
        if (!isOldNews(decision)) record({ action: actionOf(instead) ?? decision.action, ...findingOf(decision) });
      }
      return instead;
    },
  };
}

/** What the host does instead. Undefined if it threw or answered nonsense; the guard then does what it decided. */
function actionOf(instead: OwnDecision | undefined): Decision["action"] | undefined {
  const action: unknown = instead?.action;
  return actionLabel(action) === action ? (action as Decision["action"]) : undefined;
}

function findingOf({ finding }: Decision): Pick<Decision, "finding"> {
  return finding === undefined ? {} : { finding };
}
