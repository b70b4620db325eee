import type { CallEvent } from "../core/event.ts";
import { toolLabel } from "../core/identity/tool-label.ts";
import { createToolRules } from "../core/policy/tool-rules.ts";
import type { ToolRules } from "../core/tool-rule.ts";

/** The calls that a guard counts: those that no rule ignores. Leads from its count to that of the recording, and back. */
export interface HeardCalls {
  /** Takes each call of the recording, in order. */
  note(index: number, event: CallEvent): void;
  /** How the guard counts a call of the recording. */
  placeOf(index: number): number;
  /** Which call of the recording the guard counts so. */
  indexOf(place: number): number;
}

/** Ignored calls that are remembered: findings are about the latest ones. */
const MAX_IGNORED = 2_000;

export function createHeardCalls(rules: ToolRules = {}): HeardCalls {
  // What a rule throws, the guard reports.
  const ruleOf = createToolRules(rules, () => {});
  let ignored: number[] = [];
  let forgotten = 0;
  /** How many of those that are remembered come before a call. */
  const before = (isBefore: (at: number) => boolean): number => {
    let at = ignored.length;
    while (at > 0 && !isBefore(at)) at--;
    return at;
  };
  return {
    note(index, { tool, args }) {
      const { ignore } = ruleOf(typeof tool === "string" ? toolLabel(tool) : "");
      if (typeof ignore === "function" ? ignore(args) !== true : ignore !== true) return;
      ignored.push(index);
      if (ignored.length <= MAX_IGNORED) return;
      forgotten += MAX_IGNORED / 2;
      ignored = ignored.slice(MAX_IGNORED / 2);
    },
    placeOf: (index) => index - forgotten - before((at) => ignored[at - 1]! <= index),
    indexOf: (place) => place + forgotten + before((at) => ignored[at - 1]! < place + forgotten + at),
  };
}
