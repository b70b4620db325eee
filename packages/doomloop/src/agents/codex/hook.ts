import { type ForeignRecord, textOf } from "../../transcripts/foreign-value.ts";
import { readClaudeLike, writeWithoutEnd } from "../claude-code/claude-like.ts";
import type { Dialect } from "../hook/dialect.ts";

/**
 * The hooks of Codex. It rejects an answer with an unknown field or with `ask`, and then the call runs. A hook cannot end a run, so its
 * calls stay refused.
 *
 * Neither the input nor the environment of a hook tells `codex exec` from a session with a person (0.166). `permission_mode` says how
 * calls are approved, not whether somebody watches.
 */
export const codexHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  isOf: (input) => textOf(input.turn_id) !== undefined && textOf(input.model) !== undefined,
  read: (input) => readClaudeLike(withOwnName(input), { outputOf: ({ tool_response }) => tool_response }),
  write: (answer, { event }) => writeWithoutEnd(answer, event),
};

/** Codex tells hooks of `Bash`, but its model knows that tool as `exec_command`. So do its transcripts. */
function withOwnName(input: ForeignRecord): ForeignRecord {
  return input.tool_name === "Bash" ? { ...input, tool_name: "exec_command" } : input;
}
