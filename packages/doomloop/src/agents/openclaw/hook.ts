import { type ForeignRecord, textOf } from "../../transcripts/foreign-value.ts";
import { contentId, type Dialect, type HookInput, type HookMoment } from "../hook/dialect.ts";

/** What our plugin for OpenClaw does. */
export type OpenclawAnswer =
  /** Added to the result, or a reason to go on with the answer. */
  | { readonly words: string }
  /** Answered instead of the call. `stop`: the run is aborted, too. */
  | { readonly refusal: string; readonly stop?: boolean }
  /** The run is aborted. When it is about to end: it ends, whatever other plugins want. */
  | { readonly stop: true };

/** The hooks of OpenClaw, as our plugin reports them, with OpenClaw's names of events and fields. */
export const openclawHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: false,
  turnEnd: { words: true, end: true },
  isOf: (input) => textOf(input.sessionId) !== undefined && textOf(input.event) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.event);
    const session = textOf(input.sessionId);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    return { event, session, agent: undefined, folder: textOf(input.cwd), moment, canAsk: false };
  },
  write(answer): OpenclawAnswer | undefined {
    if (answer.type === "words") return { words: answer.words };
    if (answer.type === "end") return { stop: true };
    if (answer.type !== "refusal") return undefined;
    return { refusal: answer.words, ...(answer.isEnd && { stop: true }) };
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const tool = textOf(input.toolName) ?? "";
  const call = { id: textOf(input.toolCallId) ?? contentId(tool, input.args), tool, args: input.args };
  switch (event) {
    case "before_tool_call":
      return { type: "call", call };
    case "tool_result":
      return { type: "result", call, output: input.output, error: input.isError === true ? true : undefined };
    case "run":
      // A message from anybody begins a run, and so does the clock.
      return { type: "user", text: undefined };
    case "before_agent_finalize":
      return { type: "turn", text: textOf(input.text) ?? "" };
    case "after_compaction":
      return { type: "compaction" };
    default:
      return undefined;
  }
}
