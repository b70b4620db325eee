import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { contentId } from "../hook/content-id.ts";
import type { Dialect } from "../hook/dialect.ts";
import type { HookInput, HookMoment } from "../hook/hook-input.ts";
import { commandsAsScript, commandsOutcome } from "./cline-commands.ts";

/** Hooks of Cline, which are files named after their event. A call cannot be refused there, only the run ended. */
export const cline: Dialect = {
  host: "cline",
  abilities: { nudge: "result", block: false, stop: "clean" },
  tellsRounds: false,
  isOf: (input) => textOf(input.hookName) !== undefined && textOf(input.taskId) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.hookName);
    const session = textOf(input.taskId);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    return { event, session, agent: textOf(input.agent_id), folder: textOf(input.cwd), moment, canAsk: false };
  },
  write(answer) {
    if (answer.type === "words") return { contextModification: answer.words };
    if (answer.type === "end" || (answer.type === "refusal" && answer.isEnd))
      return { cancel: true, errorMessage: answer.explanation };
    return undefined;
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const made = recordOf(input.tool_call);
  if (event === "tool_call" && made !== undefined) return { type: "call", call: callOf(made) };
  const result = recordOf(input.tool_result);
  if (event === "tool_result" && result !== undefined) {
    const call = callOf(result);
    if (result.error !== undefined && result.error !== null)
      return { type: "result", call, output: result.error, error: true };
    return { type: "result", call, ...(commandsOutcome(result.output) ?? { output: result.output, error: undefined }) };
  }
  return event === "prompt_submit" ? { type: "user", text: textOf(input.prompt) } : undefined;
}

function callOf({ id, name, input }: ForeignRecord) {
  const tool = textOf(name) ?? "";
  return { id: textOf(id) ?? contentId(tool, input), tool, args: commandsAsScript(input) };
}
