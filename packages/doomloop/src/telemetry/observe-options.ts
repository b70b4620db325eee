import { type Decision, isOldNews, type OwnDecision } from "../core/decision.ts";
import type { GuardOptions } from "../core/options.ts";
import { actionLabel } from "./attributes.ts";
import type { CountedDecision } from "./record-decision.ts";

/**
 * Options whose `onDecision` also records. What the host's own `onDecision` returns, or throws, is passed on as it is:
 * the guard sees no difference.
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

/** What a host does instead; undefined where it has thrown or answered nonsense, and the guard does what it decided. */
function actionOf(instead: OwnDecision | undefined): Decision["action"] | undefined {
  const action: unknown = instead?.action;
  return actionLabel(action) === action ? (action as Decision["action"]) : undefined;
}

function findingOf({ finding }: Decision): Pick<Decision, "finding"> {
  return finding === undefined ? {} : { finding };
}
