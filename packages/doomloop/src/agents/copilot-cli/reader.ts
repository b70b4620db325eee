import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseCopilotCli } from "./parse.ts";

/** Beginnings of frequent records that are not read. */
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

/** One folder for each run, with `events.jsonl` in it. */
function copilotCliPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.COPILOT_HOME || joinPath(environment, env.XDG_STATE_HOME || home, ".copilot");
  return [joinPath(environment, folder, "session-state")];
}

/** Leaves out records about hooks, and about the beginnings and ends of turns and calls. */
function trimLine(line: string): string {
  return PASSED_OVER.some((begin) => line.startsWith(begin)) && line.endsWith("}") ? "" : line;
}
