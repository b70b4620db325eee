import { resolve } from "node:path";
import { asClaudeCode } from "./as-claude-code.ts";
import { asCodex } from "./as-codex.ts";
import { claudeCodeSessions, codexSessions } from "./sessions.ts";

export const SAMPLE_FOLDER = resolve(import.meta.dirname, "../../packages/doomloop/assets/sample");

/** The sample's files by name, in the forms in which two agents keep their sessions. */
export function sampleFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...claudeCodeSessions.map((session) => [`claude-code/${session.id}.jsonl`, lines(asClaudeCode(session))] as const),
    ...codexSessions.map((session) => [`codex/rollout-${session.id}.jsonl`, lines(asCodex(session))] as const),
  ]);
}

function lines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
