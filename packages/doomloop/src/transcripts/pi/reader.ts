import { firstRecord } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parsePi } from "./parse.ts";
import { piPaths } from "./paths.ts";

/** Runs of the pi coding agent. */
export const pi: TranscriptReader = {
  agent: "pi",
  label: "pi",
  extensions: [".jsonl"],
  roots: piPaths,
  isMine(_path, head) {
    const first = firstRecord(head);
    return first?.type === "session" && typeof first.id === "string" && typeof first.cwd === "string";
  },
  open: parsePi,
};
