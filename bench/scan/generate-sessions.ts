import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createNumbers, generateRun, prose } from "../speed/generate-runs.ts";

/** Calls of one session: some 200 lines, as they are on people's disks. */
const CALLS = 100;
const PIECE = 4_000_000;

/** Writes sessions as a coding agent keeps them, until a folder holds so many bytes. Returns the files. */
export function generateSessions(folder: string, bytes: number, sessionsPerFile: number): string[] {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  for (let written = 0, session = 0; written < bytes; ) {
    const path = join(folder, `session-${files.length}.jsonl`);
    const file = openSync(path, "w");
    for (let at = 0; at < sessionsPerFile && written < bytes; at++) written += write(file, sessionLines(session++));
    closeSync(file);
    files.push(path);
  }
  return files;
}

/** Writes one session of so many bytes: lines without end, one run. */
export function generateLongSession(path: string, bytes: number): void {
  const file = openSync(path, "w");
  for (let written = 0, part = 0; written < bytes; part++) written += write(file, sessionLines(part, "long"));
  closeSync(file);
}

function write(file: number, lines: readonly string[]): number {
  let bytes = 0;
  let piece = "";
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    bytes += writeSync(file, piece);
    piece = "";
  }
  return bytes + writeSync(file, piece);
}

/** Made once for each seed: what differs between sessions is what they are called. */
const made = new Map<number, readonly string[]>();
const SEEDS = 40;

function sessionLines(session: number, name = `session-${session}`): readonly string[] {
  const seed = session % SEEDS;
  let lines = made.get(seed);
  if (lines === undefined) {
    lines = linesOf(seed);
    made.set(seed, lines);
  }
  return lines.map((line) => line.replaceAll("SESSION", name).replaceAll("PART", String(session)));
}

/** What a tool result repeats beside the message, and what stands between: about 2.8 KB a line, a third of the lines no step. */
function linesOf(seed: number): string[] {
  const next = createNumbers(seed + 1);
  const start = Date.UTC(2026, 0, 1) + seed * 3_600_000;
  return generateRun(CALLS, seed).flatMap((event, at) => {
    const base = {
      parentUuid: `PART-${at - 1}`,
      isSidechain: false,
      userType: "external",
      cwd: "/home/user/project",
      sessionId: "SESSION",
      version: "2.1.325",
      gitBranch: "main",
      uuid: `PART-${at}`,
      timestamp: new Date(start + at * 4_000).toISOString(),
    };
    if (event.type === "call") {
      const content = [{ type: "tool_use", id: `PART-${event.id}`, name: event.tool, input: event.args }];
      const usage = {
        input_tokens: 4,
        cache_read_input_tokens: 20_000 + next(9_000),
        cache_creation_input_tokens: next(3_000),
        output_tokens: next(400),
      };
      const message = { id: `msg-PART-${at}`, role: "assistant", model: "claude-sonnet-4-5", content, usage };
      return [`${JSON.stringify({ ...base, type: "assistant", message })}\n`];
    }
    if (event.type !== "result") return [];
    const output = String(event.output) + prose([0, 400, 2_000, 6_000][next(4)]!, next);
    const content = [{ type: "tool_result", tool_use_id: `PART-${event.id}`, content: output }];
    const message = { role: "user", content };
    const result = { ...base, type: "user", message, toolUseResult: { stdout: output, stderr: "" } };
    const snapshot = {
      type: "file-history-snapshot",
      messageId: `PART-${at}`,
      snapshot: { files: prose(1_500, next) },
    };
    return [`${JSON.stringify(result)}\n`, `${JSON.stringify(snapshot)}\n`];
  });
}
