import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export interface RunningProcess {
  /** The next line of its output, as JSON. Rejects if the process ends first. */
  next(): Promise<unknown>;
  /** Lets the process continue. */
  release(): void;
  /** Resolves to the time since `release`, and whether the process ended normally. Kills it after a minute. */
  ended(): Promise<{ readonly tookMs: number; readonly code: number | null; readonly errors: string }>;
}

const HANGS_MS = 60_000;

/** Starts a program of this folder in a separate process. */
export function startProcess(program: string, order: unknown): RunningProcess {
  const words = [resolve(import.meta.dirname, program), JSON.stringify(order)];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = "";
  child.stderr.on("data", (piece) => {
    errors += piece;
  });
  child.stdin.on("error", () => {});
  let releasedAt = performance.now();
  const exited = new Promise<{ tookMs: number; code: number | null }>((done) => {
    child.on("close", (code) => done({ tookMs: performance.now() - releasedAt, code }));
  });
  return {
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`it ended: ${errors}`);
      return JSON.parse(value);
    },
    release() {
      releasedAt = performance.now();
      child.stdin.end("go");
    },
    async ended() {
      const timer = setTimeout(() => child.kill("SIGKILL"), HANGS_MS);
      const end = await exited;
      clearTimeout(timer);
      return { ...end, errors };
    },
  };
}
