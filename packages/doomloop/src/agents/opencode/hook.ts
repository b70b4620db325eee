import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { contentId, type Dialect, type HookInput, type HookMoment } from "../hook/dialect.ts";

/** What our plugin for opencode is to do. opencode itself knows no answers: its plugins change what they are given, or throw. */
export type OpencodeAnswer =
  /** Added to the result. */
  | { readonly words: string }
  /** Thrown in place of the call, which reaches the model; `stop`: and the session is aborted. */
  | { readonly refusal: string; readonly stop?: boolean }
  | { readonly stop: true };

/** Hooks of opencode, as our plugin tells them: its own names of events, and of what comes with them. */
export const opencodeHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: false,
  isOf: (input) => textOf(input.sessionID) !== undefined && textOf(input.event) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.event);
    const session = textOf(input.sessionID);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    return { event, session, agent: undefined, folder: textOf(input.directory), moment, canAsk: false };
  },
  write(answer): OpencodeAnswer | undefined {
    if (answer.type === "words") return { words: answer.words };
    if (answer.type === "end") return { stop: true };
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
    case "session.compacted":
      return { type: "compaction" };
    default:
      return undefined;
  }
}
