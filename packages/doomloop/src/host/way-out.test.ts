import type { AgentEvent } from "doomloop";
import { expect, it } from "vitest";
import { createGuard, type GuardConfig } from "../../../../test/builders.ts";
import { withinAbilities } from "./abilities.ts";

const ABLE = { nudge: "result", block: true, stop: "none" } as const;
const failed = { type: "result", output: "That is not possible now.", error: true } as const;

/** What a guard answers to one call, made again and again, and what a host that cannot end a run does then. */
function played(tool: string, options: GuardConfig) {
  const guard = createGuard(options);
  return Array.from({ length: 30 }, (_, at) => {
    guard.observe({ type: "round" });
    const call: AgentEvent = { type: "call", id: `${at}`, tool, args: {} };
    const peeked = guard.peek(call).action;
    const decision = guard.observe(call);
    if (decision.action === "continue" || decision.action === "nudge") guard.observe({ ...failed, id: `${at}` });
    return { action: decision.action, peeked, done: withinAbilities(decision, ABLE, "call").action };
  });
}

it.each<[string, GuardConfig]>([
  ["levels of evidence", {}],
  ["counts", { counts: { repeats: 3 } }],
  ["counts that only refuse", { counts: { repeats: 3 }, ladder: ["block"] }],
  ["counts that only end", { counts: { repeats: 3 }, ladder: ["stop"] }],
  ["the host's own decisions", { onDecision: () => ({ action: "block" }) }],
])("lets a way out run where the run cannot be ended: %s", (_, options) => {
  const ways = played("finish", options);

  expect(ways.filter(({ action, peeked, done }) => [action, peeked, done].includes("block"))).toEqual([]);
  expect(played("frobnicate", options).map(({ done }) => done)).toContain("block");
});

it("refuses what must not happen twice, whatever its name, unless the host calls it a way out", () => {
  const actions = (options: GuardConfig) => {
    const guard = createGuard(options);
    return ["1", "2"].map((id) => {
      const { action } = guard.observe({ type: "call", id, tool: "escalate_case", args: { id: 7 } });
      guard.observe({ type: "result", id, output: "done" });
      return action;
    });
  };

  expect(actions({ rules: { escalate_case: { repeat: "never" } } })).toEqual(["continue", "block"]);
  expect(actions({ rules: { escalate_case: { repeat: "never", wayOut: true } } })).toEqual(["continue", "continue"]);
});
