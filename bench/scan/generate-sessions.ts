import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sessionLines } from "./session-lines.ts";

/** Calls of one session: some 600 lines. */
const CALLS = 100;
const PIECE = 4_000_000;

/** Writes sessions as a coding agent keeps them, one a file, until a folder holds so many bytes. */
export function generateSessions(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true });
  for (let written = 0, session = 0; written < bytes; session++) {
    const file = openSync(join(folder, `session-${session}.jsonl`), "w");
    written += write(file, linesOf(session));
    closeSync(file);
  }
}

/** Writes one session of so many bytes: lines without end, one run. */
export function generateLongSession(path: string, bytes: number): void {
  const file = openSync(path, "w");
  for (let written = 0, part = 0; written < bytes; part++) written += write(file, linesOf(part, "long"));
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

/** Made once for each seed: what differs between sessions is what they are called, and their paths. */
const made = new Map<number, readonly string[]>();
const SEEDS = 40;

function linesOf(session: number, name = `session-${session}`): readonly string[] {
  const seed = session % SEEDS;
  let lines = made.get(seed);
  if (lines === undefined) {
    lines = sessionLines(CALLS, seed);
    made.set(seed, lines);
  }
  const part = String(session).padStart(12, "0");
  return lines.map((line) => line.replaceAll("SESSION", name).replaceAll("PART", part));
}
