import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export const TOKEN = "a-token-for-two-replicas";
const program = resolve(import.meta.dirname, "../../../packages/doomloop/src/cli/main.ts");
/** The folder with the installed clients. */
const project = resolve(import.meta.dirname, "..");

export interface Replica {
  readonly port: number;
  /** Ends it with `kill -9`, so that it cannot save anything. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has saved what it knows. */
  stop(): Promise<void>;
}

/** Starts `doomloop serve` in a process of its own. */
export async function startReplica(storePort: number, words: readonly string[] = [], port = 0): Promise<Replica> {
  const child = spawn(
    process.execPath,
    [program, "serve", "--listen", `127.0.0.1:${port}`, "--store", `redis://127.0.0.1:${storePort}`, ...words],
    { cwd: project, env: { ...process.env, DOOMLOOP_TOKEN: TOKEN }, stdio: ["ignore", "pipe", "ignore"] },
  );
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => ["it ended"]),
  ])) as [string];
  const bound = Number(/:(\d+)$/.exec(line)?.[1]);
  if (!(bound > 0)) throw new Error(`the replica did not start: ${line}`);
  child.stdout.resume();
  return { port: bound, kill: () => ended(child, "SIGKILL"), stop: () => ended(child, "SIGTERM") };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}
