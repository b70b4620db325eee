import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey, recordsIn } from "../../transcripts/head-keys.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";
import { parsePi } from "./parse.ts";

/** Runs of the pi coding agent. */
export const piReader: TranscriptReader = {
  agent: "pi",
  label: "pi",
  extensions: [".jsonl"],
  roots: piPaths,
  isMine: (_path, head) =>
    recordsIn(head).some(
      ({ type, id, cwd }) => type === "session" && typeof id === "string" && typeof cwd === "string",
    ) || isEntry(head),
  open: parsePi,
};

/** Whether a file begins with an entry of the tree, because its first line was lost. */
function isEntry(head: string): boolean {
  return (
    hasKey(head, "type", '"message"') &&
    hasKey(head, "parentId", '"') &&
    hasKey(head, "message", "{") &&
    hasKey(head, "role", '"user"', '"assistant"', '"toolResult"')
  );
}

/** One folder for each project. */
function piPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env, home } = environment;
  const folder = env.PI_CODING_AGENT_DIR || joinPath(environment, home, ".pi", "agent");
  return [env.PI_CODING_AGENT_SESSION_DIR || joinPath(environment, folder, "sessions")];
}
