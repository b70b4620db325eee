import { spawn } from "node:child_process";

/** A program with its words. */
export interface ProgramCall {
  readonly file: string;
  readonly words: readonly string[];
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What came of a process. */
export interface ProcessOutcome {
  /** Undefined for one that did not start, or was ended. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

const MAX_TEXT = 100_000;
const LONGEST_MS = 10_000;

/** What runs a program to its end. Never rejects. */
export type ProcessRunner = (call: ProgramCall) => Promise<ProcessOutcome>;

/** Runs a program to its end, without a shell. Never rejects. */
export function runProcess({ file, words, input = "", cwd, env }: ProgramCall): Promise<ProcessOutcome> {
  const start = performance.now();
  const child = spawn(file, words, { cwd, env, stdio: "pipe", timeout: LONGEST_MS, windowsHide: true });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      if (said[name].length < MAX_TEXT) said[name] += piece;
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done) => {
    const end = (code: number | undefined, fault = ""): void =>
      done({ code, stdout: said.stdout, stderr: said.stderr || fault, milliseconds: performance.now() - start });
    child.on("error", (error) => end(undefined, error.message));
    child.on("close", (code) => end(code ?? undefined));
  });
}
