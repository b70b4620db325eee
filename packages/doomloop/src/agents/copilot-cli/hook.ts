import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readClaudeLike } from "../claude-code/read-claude-like.ts";
import { contentId } from "../hook/content-id.ts";
import type { Dialect } from "../hook/dialect.ts";
import type { HookInput, HookMoment } from "../hook/hook-input.ts";
import { withoutShellId } from "./without-shell-id.ts";

/** Hooks of Copilot CLI, in its own wording and in the one that it uses for settings of Claude Code. A hook cannot end a run there. */
export const copilotCli: Dialect = {
  host: "copilot-cli",
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  isOf: (input) => isOwn(input) || (input.timestamp !== undefined && textOf(input.transcript_path) === undefined),
  read(input): HookInput | undefined {
    if (!isOwn(input)) return readClaudeLike(input, { outputOf: ({ tool_result: result }) => textOfResult(result) });
    const session = textOf(input.sessionId);
    const moment = momentOf(input);
    if (session === undefined || moment === undefined) return undefined;
    return { event: "", session, agent: undefined, folder: textOf(input.cwd), moment, canAsk: false };
  },
  write(answer) {
    if (answer.type === "words") return { additionalContext: answer.words };
    if (answer.type !== "refusal") return undefined;
    return { permissionDecision: "deny", permissionDecisionReason: answer.words };
  },
};

function isOwn(input: ForeignRecord): boolean {
  return textOf(input.sessionId) !== undefined;
}

/** Its own hooks are not told their event's name: what there is tells. */
function momentOf(input: ForeignRecord): HookMoment | undefined {
  const tool = textOf(input.toolName);
  if (tool === undefined) {
    return typeof input.prompt === "string" ? { type: "user", text: input.prompt } : undefined;
  }
  const args = input.toolArgs;
  const call = { id: contentId(tool, args), tool, args };
  if (input.toolResult === undefined) return { type: "call", call };
  const error = recordOf(input.toolResult)?.resultType === "failure" ? true : undefined;
  return { type: "result", call, output: textOfResult(input.toolResult), error };
}

function textOfResult(result: unknown): unknown {
  const record = recordOf(result);
  return withoutShellId(record?.textResultForLlm ?? record?.text_result_for_llm ?? result);
}
