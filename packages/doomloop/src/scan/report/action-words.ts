interface ActionWords {
  /** Completes "the guard would have ...". */
  readonly done: string;
  readonly meaning: string;
  /** A shape of its own, so that colour is not needed. */
  readonly mark: string;
}

const ACTIONS = new Map<string, ActionWords>(
  Object.entries({
    nudge: { done: "nudged", meaning: "told the agent that it repeats itself", mark: "▲" },
    block: { done: "blocked", meaning: "not run this call", mark: "■" },
    restart: { done: "restarted", meaning: "started over from a checkpoint", mark: "↺" },
    stop: { done: "stopped", meaning: "ended the run", mark: "✕" },
  }),
);

/** The actions of the guard, mildest first. */
export const ACTION_ORDER: readonly string[] = [...ACTIONS.keys()];

/** What the guard would have done, in plain words. */
export function actionWords(action: string): ActionWords {
  return ACTIONS.get(action) ?? { done: action, meaning: "", mark: "?" };
}
