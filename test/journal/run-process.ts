import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { ProcessOrder, ProcessReport } from "./ledger.ts";

const program = resolve(import.meta.dirname, "update-process.ts");

export interface ProcessEnd {
  readonly reports: readonly ProcessReport[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

export interface RunningProcess {
  /** Lets a process begin that is held. */
  release(): void;
  kill(): void;
  readonly end: Promise<ProcessEnd>;
}

/** Starts a process of its own that updates a journal, behind the words of another program if some are given. */
export function startProcess(order: ProcessOrder, before: readonly string[] = [], onReport = () => {}): RunningProcess {
  const [command, ...words] = [...before, process.execPath, program, JSON.stringify(order)];
  const child = spawn(command!, words, { stdio: ["pipe", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (piece) => {
    output += piece;
    onReport();
  });
  child.stderr.on("data", (piece) => (errors += piece));
  // Whoever was killed does not read.
  child.stdin.on("error", () => {});
  const end = new Promise<ProcessEnd>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ reports: readReports(output), code, signal, errors }));
  });
  return { release: () => child.stdin.end("go"), kill: () => child.kill("SIGKILL"), end };
}

export function runProcess(order: ProcessOrder, before?: readonly string[]): Promise<ProcessEnd> {
  const running = startProcess(order, before);
  running.release();
  return running.end;
}

/** The ids of updates that a process was told are kept. */
export function acknowledged({ reports }: ProcessEnd): string[] {
  return reports.filter(({ isKept }) => isKept).map(({ id }) => id);
}

/** What was said before the end; a line that breaks off was not said. */
function readReports(output: string): ProcessReport[] {
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ProcessReport);
}
