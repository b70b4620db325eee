import { textOf } from "../../transcripts/foreign-value.ts";
import { readClaudeLike, writeWithoutEnd } from "../claude-code/claude-like.ts";
import type { Dialect } from "../hook/dialect.ts";

/**
 * Hooks of Codex. It reads answers strictly: a field that it does not know, or `ask`, voids the whole answer, and the call runs. A hook
 * cannot end a run: its calls stay refused.
 */
export const codexHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  isOf: (input) => textOf(input.turn_id) !== undefined && textOf(input.model) !== undefined,
  read: (input) => readClaudeLike(input, { outputOf: ({ tool_response }) => tool_response }),
  write: (answer, { event }) => writeWithoutEnd(answer, event),
};
