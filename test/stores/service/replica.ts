import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export const TOKEN = "a-token-for-two-replicas";
const program = resolve(import.meta.dirname, "../../../packages/doomloop/src/cli/main.ts");
/** The folder with the installed clients. */
const project = resolve(import.meta.dirname, "..");

export interface Replica {
  readonly url: string;
  readonly port: number;
  /** What it wrote for its operator. */
  readonly notes: readonly Readonly<Record<string, unknown>>[];
  /** Ends it with `kill -9`, so that it cannot save anything. */
  kill(): Promise<void>;
  /** Asks it to end, and waits until it has saved what it knows. */
  stop(): Promise<void>;
}

/** Starts `doomloop serve` with a store, in a process of its own. */
export function startReplica(storePort: number, port = 0): Promise<Replica> {
  return startService(["--listen", `127.0.0.1:${port}`, "--store", `redis://127.0.0.1:${storePort}`]);
}

export async function startService(words: readonly string[]): Promise<Replica> {
  const env = { ...process.env, DOOMLOOP_TOKEN: TOKEN };
  const child = spawn(process.execPath, [program, "serve", "--end-with-stdin", ...words], { cwd: project, env });
  const notes: Record<string, unknown>[] = [];
  let faults = "";
  createInterface(child.stderr).on("line", (line) => {
    if (line.startsWith("{")) notes.push(JSON.parse(line));
    else faults += `${line}\n`;
  });
  const first = once(createInterface(child.stdout), "line");
  const [line] = (await Promise.race([first, once(child, "exit").then(() => ["it ended"])])) as [string];
  const url = /http\S+/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the service did not start: ${line} ${faults}`);
  child.stdout.resume();
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  return { url, port: Number(new URL(url).port), notes, kill: () => ended("SIGKILL"), stop: () => ended("SIGTERM") };
}
