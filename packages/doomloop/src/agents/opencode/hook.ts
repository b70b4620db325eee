import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { contentId, type Dialect, type HookInput, type HookMoment } from "../hook/dialect.ts";

/** What our plugin for opencode does. opencode reads no answers: its plugins change what they are given, or throw. */
export type OpencodeAnswer =
  /** Added to the result. */
  | { readonly words: string }
  /** Thrown instead of the call, so that the model sees it, or instead of the prompt. `stop`: the session is aborted, too. */
  | { readonly refusal: string; readonly stop?: boolean }
  | { readonly stop: true };

/** The hooks of opencode, as our plugin reports them, with opencode's names of events and fields. */
export const opencodeHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: false,
  prompt: { words: true, end: true },
  isOf: (input) => textOf(input.sessionID) !== undefined && textOf(input.event) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.event);
    const session = textOf(input.sessionID);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    return { event, session, agent: undefined, folder: textOf(input.directory), moment, canAsk: false };
  },
  write(answer, { event }): OpencodeAnswer | undefined {
    if (answer.type === "words") return { words: answer.words };
    if (answer.type === "end") return event === "chat.message" ? { refusal: answer.explanation } : { stop: true };
    if (answer.type !== "refusal") return undefined;
    return { refusal: answer.words, ...(answer.isEnd && { stop: true }) };
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const tool = textOf(input.tool) ?? "";
  const call = { id: textOf(input.callID) ?? contentId(tool, input.args), tool, args: input.args };
  switch (event) {
    case "tool.execute.before":
      return { type: "call", call };
    case "tool.execute.after": {
      const exit = recordOf(input.metadata)?.exit;
      return {
        type: "result",
        call,
        output: input.output,
        error: typeof exit === "number" && exit !== 0 ? true : undefined,
      };
    }
    case "tool.error":
      return { type: "result", call, output: input.error, error: true };
    case "chat.message":
      return { type: "user", text: textOf(input.text) };
    case "session.idle":
      return { type: "turn", text: textOf(input.text) ?? "" };
    case "session.compacted":
      return { type: "compaction" };
    default:
      return undefined;
  }
}
