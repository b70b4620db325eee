import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { shellReport } from "../../transcripts/shell-report.ts";
import { callOf, contextFor } from "../claude-code/claude-like.ts";
import type { Dialect, HookInput, HookMoment } from "../hook/dialect.ts";

/**
 * The hooks of Gemini CLI. Its calls have no ids. Its own detector ends a run at the fifth equal call. It does not tell a hook whether
 * somebody watches (0.61).
 */
export const geminiCliHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: false,
  turnEnd: { words: true, end: true },
  prompt: { words: true, end: true },
  isOf: (input) => /^(?:Before|After)(?:Tool|Agent|Model)/.test(textOf(input.hook_event_name) ?? ""),
  read(input): HookInput | undefined {
    const event = textOf(input.hook_event_name);
    const session = textOf(input.session_id);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    const failure = event === "AfterTool" ? textOf(recordOf(recordOf(input.tool_response)?.error)?.message) : undefined;
    return { event, session, agent: undefined, folder: textOf(input.cwd), moment, failure, canAsk: false };
  },
  write(answer, { event, failure }) {
    // Of a failed call, the model reads only the message of the failure. To add words, the hook has to replace it.
    if (answer.type === "words" && failure !== undefined)
      return { decision: "block", reason: `${failure}\n\n${answer.words}` };
    // At the end of a turn, words take the place of the prompt of another one.
    if (answer.type === "words" && event === "AfterAgent") return { decision: "deny", reason: answer.words };
    if (answer.type === "words") return contextFor(event, answer.words);
    if (answer.type === "end") return { continue: false, stopReason: answer.explanation };
    if (answer.type !== "refusal") return undefined;
    const denied = { decision: "deny", reason: answer.words };
    return answer.isEnd ? { ...denied, continue: false, stopReason: answer.explanation } : denied;
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const call = callOf(input);
  if (event === "BeforeTool") return { type: "call", call };
  if (event === "BeforeAgent") return { type: "user", text: textOf(input.prompt), isUnsure: true };
  if (event === "AfterAgent") {
    const text = textOf(input.prompt_response) ?? "";
    // After a call, it forgets that another hook has started the turn. It still knows what the user said last.
    const isContinued = input.stop_hook_active === true;
    return { type: "turn", text, isAppended: true, isContinued, prompt: textOf(input.prompt) };
  }
  if (event !== "AfterTool") return undefined;
  const response = recordOf(input.tool_response);
  const report = shellReport(response?.llmContent ?? input.tool_response);
  const error = response?.error === undefined || response.error === null ? report.error : true;
  return { type: "result", call, output: report.output, error };
}
