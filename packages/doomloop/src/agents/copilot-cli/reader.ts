import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/read-head.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseCopilotCli } from "./parse.ts";

/** Begins of records that lead nowhere, and of which there are many. */
const PASSED_OVER = ["hook.", "assistant.turn_", "tool.execution_start", "tool.execution_partial"].map(
  (type) => `{"type":"${type}`,
);

/** Events of GitHub's Copilot CLI and of its SDK. */
export const copilotCliReader: TranscriptReader = {
  agent: "copilot-cli",
  label: "Copilot CLI",
  extensions: [".jsonl"],
  roots: copilotCliPaths,
  isMine: (_path, head) =>
    hasKey(head, "data", "{") &&
    hasKey(head, "type", '"session.', '"user.message"', '"assistant.') &&
    (hasKey(head, "parentId", "null", '"') || hasKey(head, "copilotVersion", '"')),
  trim: trimLine,
  open: parseCopilotCli,
};

/** One folder a run, with `events.jsonl` in it; older versions wrote files of their own below `history-session-state`. */
function copilotCliPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.COPILOT_HOME || joinPath(environment, env.XDG_STATE_HOME || home, ".copilot");
  return ["session-state", "history-session-state"].map((name) => joinPath(environment, folder, name));
}

/** What of a line needs parsing: nothing of hooks, of beginnings and of ends. */
function trimLine(line: string): string {
  return PASSED_OVER.some((begin) => line.startsWith(begin)) && line.endsWith("}") ? "" : line;
}
