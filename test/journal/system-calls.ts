import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { JournalHome } from "./journal-home.ts";
import type { ProcessOrder } from "./ledger.ts";
import { runProcess } from "./run-process.ts";

/** One system call of a process on the state's folder. */
export interface SystemCall {
  readonly name: string;
  /** The how manyth of its name. */
  readonly when: number;
}

const HIGHEST_GENERATION = 20;

/** Whether `strace` can stop and fail the calls of a process here. Says so where it cannot. */
export function canInject(): boolean {
  const { status } = spawnSync("strace", ["-f", "-qq", "-o", "/dev/null", "-e", "inject=chdir:error=EIO", "true"]);
  if (status === 0) return true;
  process.stderr.write(
    "Skipped: journals under kills, stops and faults at every system call, because strace does not run. `apt-get install strace` brings it.\n",
  );
  return false;
}

/** The words that run a process under strace, which sees only calls on the state's folder. */
export function traced({ directory, folder }: JournalHome, log: string, injections: readonly string[] = []): string[] {
  const generations = Array.from({ length: HIGHEST_GENERATION + 1 }, (_, number) => join(folder, String(number)));
  const paths = [
    directory,
    folder,
    join(directory, "swept"),
    expiredFolder(directory),
    join(expiredFolder(directory), "0"),
    ...generations,
  ];
  return [
    "strace",
    "-f",
    "-qq",
    "-o",
    log,
    ...paths.flatMap((path) => ["-P", path]),
    ...injections.flatMap((each) => ["-e", `inject=${each}`]),
  ];
}

/** A journal that nobody knows the session of, for the removal of expired ones. */
export function expiredFolder(directory: string): string {
  return join(directory, "e".repeat(40));
}

/** Runs a process undisturbed, and lists its calls on the state's folder in their order. */
export async function listCalls(home: JournalHome, order: ProcessOrder): Promise<SystemCall[]> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-trace-"));
  const log = join(folder, "log");
  const end = await runProcess(order, traced(home, log));
  expect(end).toMatchObject({ code: 0, errors: "" });
  const counts = new Map<string, number>();
  const calls = [...readFileSync(log, "utf8").matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = ""]) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return { name, when: counts.get(name)! };
  });
  rmSync(folder, { recursive: true });
  return calls;
}
