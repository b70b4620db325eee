import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agentFiles } from "./agent-files.ts";

/**
 * How the bytes are shared out: a choice, not a measurement. Two agents keep a file for each event, and get few of them.
 */
const SHARES: Readonly<Record<string, number>> = {
  "claude-code": 0.5,
  codex: 0.25,
  "gemini-cli": 0.07,
  "qwen-code": 0.05,
  "copilot-cli": 0.05,
  pi: 0.05,
  openhands: 0.015,
  opencode: 0.015,
};
const MIN_CALLS = 30;
/** Sessions differ in length, as they do on people's disks. */
const LENGTHS = [1, 1, 2, 3, 5, 12];
const DAYS = 25;
const DAY_MS = 86_400_000;

/** Fills a home folder with the sessions of eight agents, from the last 25 days, until it holds so many bytes. Returns how many bytes and files. */
export function generateHome(home: string, bytes: number): { readonly bytes: number; readonly files: number } {
  const now = Date.now();
  let written = 0;
  let files = 0;
  let seed = 0;
  for (const [agent, share] of Object.entries(SHARES)) {
    for (let own = 0; own < bytes * share; seed++) {
      const at = now - DAYS * DAY_MS + ((seed * 7_919) % (DAYS - 1)) * DAY_MS;
      const calls = MIN_CALLS * LENGTHS[seed % LENGTHS.length]!;
      for (const { path, text } of agentFiles[agent]!({ name: `session-${seed}`, seed, calls, at })) {
        const size = write(
          join(home, path),
          text.replaceAll("PART", String(seed).padStart(12, "0")),
          at + calls * 9_000,
        );
        own += size;
        written += size;
        files++;
      }
    }
  }
  return { bytes: written, files };
}

function write(path: string, text: string, modifiedMs: number): number {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
  return Buffer.byteLength(text);
}
