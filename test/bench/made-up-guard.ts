import type { CreateGuard } from "../../bench/quality/guard.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";

/** A guard that answers calls as it is told, by their number from 1, and leaves everything else alone. */
export function madeUpGuard(answer: (call: number, event: AgentEvent & { type: "call" }) => Action): CreateGuard {
  return () => {
    let calls = 0;
    const decide = (event: AgentEvent): Action => (event.type === "call" ? answer(++calls, event) : "continue");
    return {
      observe(event) {
        const action = decide(event);
        const finding = { kind: "repeated-call", confidence: 1, tools: [] };
        return { action, ...(action === "continue" ? {} : { finding, message: "Stop that." }) } as unknown as Decision;
      },
      stats: () => ({ faults: 0 }) as ReturnType<ReturnType<CreateGuard>["stats"]>,
    };
  };
}
