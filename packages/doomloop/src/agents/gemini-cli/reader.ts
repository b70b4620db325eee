import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parseGeminiCli } from "./parse.ts";

/** The history of prompts, saved chats and checkpoints. They repeat parts of conversations that are read anyway. */
const OTHER = /[\\/](?:logs|checkpoint[^\\/]{0,200})\.json$|[\\/]checkpoints[\\/]/;

/** Chats of Gemini CLI: one change a line since 2026, one JSON document before. */
export const geminiCliReader: TranscriptReader = {
  agent: "gemini-cli",
  label: "Gemini CLI",
  extensions: [".jsonl", ".json"],
  layout: "any",
  roots: geminiCliPaths,
  isOther: (path) => OTHER.test(path),
  isMine: (_path, head) =>
    hasKey(head, "sessionId", '"') && hasKey(head, "projectHash", '"') && hasKey(head, "startTime", '"'),
  open: parseGeminiCli,
};

/** One folder for each project, with `chats/` in it. `GEMINI_CLI_HOME` replaces the home folder. */
function geminiCliPaths(environment: TranscriptEnvironment): readonly string[] {
  const home = environment.env.GEMINI_CLI_HOME || environment.home;
  return [joinPath(environment, home, ".gemini", "tmp")];
}
