import type { Action } from "../../core/decision.ts";
import type { Replay } from "../replay/replay-run.ts";
import { count } from "../terminal/count.ts";

/** What all runs come to together. */
export interface ReplaySummary {
  add(replay: Replay): void;
  /** One sentence. */
  text(): string;
}

/** How a decision is counted; `continue` with a finding is what a preset that never acts says. */
const NOUNS: Readonly<Record<Action, string>> = {
  continue: "finding only reported",
  nudge: "nudge",
  block: "block",
  restart: "restart",
  stop: "stop",
};

export function createReplaySummary(): ReplaySummary {
  const actions: Record<Action, number> = { continue: 0, nudge: 0, block: 0, restart: 0, stop: 0 };
  let runs = 0;
  let looping = 0;
  let calls = 0;
  return {
    add(replay) {
      runs++;
      calls += replay.calls;
      if (replay.decisions.length > 0) looping++;
      for (const { action } of replay.decisions) actions[action]++;
    },
    text() {
      if (runs === 0) return "No runs found.";
      const size = `${count(runs, "run")}, ${count(calls, "call")}`;
      if (looping === 0) return `No loops in ${size}.`;
      const given = (Object.keys(actions) as Action[])
        .filter((action) => actions[action] > 0)
        .map((action) => count(actions[action], NOUNS[action]));
      return `Loops in ${looping.toLocaleString("en-US")} of ${size}: ${given.join(", ")}.`;
    },
  };
}
