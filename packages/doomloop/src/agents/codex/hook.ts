import { type ForeignRecord, textOf } from "../../transcripts/foreign-value.ts";
import { anotherTurn, readClaudeLike, TURN_ENDS, writeWithoutEnd } from "../claude-code/claude-like.ts";
import type { Dialect } from "../hook/dialect.ts";

/** Events at which a hook can keep the next turn from happening. */
const ENDS = new Set(["Stop", "UserPromptSubmit"]);

const WAY_OUT = "When blocked, call `update_goal` with `blocked`.";
const GO_ON = "To go on, write to the agent, or type `/goal resume` if it has a goal.";

/**
 * The hooks of Codex. It rejects an answer with an unknown field or with `ask`, and then the call runs. A hook cannot end a turn, so its
 * calls stay refused.
 *
 * Neither the input nor the environment of a hook tells `codex exec` from a session with a person (0.166). `permission_mode` says how
 * calls are approved, not whether somebody watches.
 */
export const codexHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  turnEnd: { words: true, end: true, wayOut: WAY_OUT, goOn: GO_ON },
  prompt: { words: true, end: true },
  isOf: (input) => textOf(input.turn_id) !== undefined && textOf(input.model) !== undefined,
  read(input) {
    const read = readClaudeLike(withOwnName(input), { outputOf: ({ tool_response }) => tool_response });
    // A goal, and not another hook, starts turn after turn.
    if (read?.moment.type !== "turn" || input.stop_hook_active === true) return read;
    return { ...read, moment: { ...read.moment, isOwn: true } };
  },
  write(answer, { event }) {
    if (answer.type === "words" && TURN_ENDS.has(event)) return anotherTurn(answer.words);
    if (answer.type === "end" && ENDS.has(event))
      return { continue: false, stopReason: answer.explanation, systemMessage: answer.explanation };
    return writeWithoutEnd(answer, event);
  },
};

/** Codex tells hooks of `Bash`, but its model knows that tool as `exec_command`. So do its transcripts. */
function withOwnName(input: ForeignRecord): ForeignRecord {
  return input.tool_name === "Bash" ? { ...input, tool_name: "exec_command" } : input;
}
