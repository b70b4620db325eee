import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { shellReport } from "../../transcripts/shell-report.ts";
import type { Dialect } from "./dialect.ts";
import { readClaudeLike } from "./read-claude-like.ts";
import { writeWithoutEnd } from "./write-claude-like.ts";

/** Hooks of Qwen Code: Claude Code's events with a second id for each call. A hook cannot end a run there. */
export const qwenCode: Dialect = {
  host: "qwen-code",
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: true,
  isOf: (input) => textOf(input.tool_call_id) !== undefined,
  read: (input) =>
    readClaudeLike(input, {
      outputOf: (result) => shellReport(responseOf(result)).output,
      errorOf: (result) => shellReport(responseOf(result)).error,
    }),
  write: (answer, { event }) => writeWithoutEnd(answer, event),
};

/** What the model reads of a response. */
function responseOf({ tool_response: response }: ForeignRecord): unknown {
  const record = recordOf(response);
  return record?.llmContent ?? record?.output ?? response;
}
