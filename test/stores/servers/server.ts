import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

export const engines: readonly Engine[] = ["redis", "valkey"];

const READY_MS = 120_000;
const run = promisify(execFile);
/** Ends a server when the process that started it ends, however that happens. */
const guardian = spawnSync("setpriv", ["--version"]).status === 0 ? ["setpriv", "--pdeathsig", "KILL"] : [];

/** Of servers that run. They go with this process, however it ends. */
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface ServerOptions {
  /** Lines of the configuration besides port and folder. */
  readonly settings?: readonly string[];
  readonly isSentinel?: boolean;
  /** @default a free port */
  readonly port?: number;
}

export interface Server {
  readonly port: number;
  /** Sends one command and returns the reply as the server's own client prints it. Rejects after twenty seconds. */
  ask(...words: string[]): Promise<string>;
  /** Kills it with `kill -9`, so that it cannot save anything. */
  kill(): Promise<void>;
  /** Starts it again in the same folder, at the same port. */
  restart(): Promise<void>;
  /** Kills it, if it runs, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server on loopback in its own folder, and waits until it answers. */
export async function startServer(engine: Engine, options: ServerOptions = {}): Promise<Server> {
  const { settings = [], isSentinel = false } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const folder = mkdtempSync(join(tmpdir(), `doomloop-${engine}-`));
  const file = join(folder, "server.conf");
  const basics = [`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, "daemonize no"];
  const persistence = isSentinel ? [] : ['save ""', "appendonly no", "repl-diskless-sync-delay 0"];
  writeFileSync(file, `${[...basics, ...persistence, ...settings].join("\n")}\n`);
  const words = [...guardian, `${engine}-server`, file, ...(isSentinel ? ["--sentinel"] : [])];
  folders.add(folder);
  const folderGone = () => {
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
  };
  let child: ChildProcess;

  const ask = async (...command: string[]) => {
    const { stdout } = await run(`${engine}-cli`, ["-p", String(port), ...command], { timeout: 20_000 });
    return stdout.trimEnd();
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const begin = async () => {
    child = spawn(words[0]!, words.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (bytes) => {
        printed = `${printed}${bytes}`.slice(-2_000);
      });
    }
    const deadline = performance.now() + READY_MS;
    while (isRunning() && performance.now() < deadline) {
      if ((await ask("PING").catch(() => "")) === "PONG") return;
      await wait(10);
    }
    await kill();
    throw new Error(`${engine}-server did not start at port ${port}: ${printed}`);
  };
  const kill = async () => {
    if (!isRunning()) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };

  try {
    await begin();
  } catch (error) {
    folderGone();
    throw error;
  }

  return {
    port,
    ask,
    kill,
    restart: begin,
    async stop() {
      await kill();
      folderGone();
    },
  };
}

/** The servers that can hold a fleet's counts. */
export type Engine = "redis" | "valkey";

/** Whether its programs are on this machine. `node scripts/install-servers.ts` installs them. */
export function isInstalled(engine: Engine): boolean {
  return [`${engine}-server`, `${engine}-cli`].every((program) => spawnSync(program, ["--version"]).status === 0);
}

/** Different free ports on loopback. They were free a moment ago, and are not reserved. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(listeners.map((listener) => once(listener, "listening")));
  const ports = listeners.map((listener) => (listener.address() as { port: number }).port);
  await Promise.all(
    listeners.map((listener) => {
      const closed = once(listener, "close");
      listener.close();
      return closed;
    }),
  );
  return ports;
}

/** Starts several servers at once. If one does not start, all are stopped. */
export async function startAll(starts: readonly Promise<Server>[]): Promise<Server[]> {
  const results = await Promise.allSettled(starts);
  const servers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return servers;
  await stopAll(servers);
  throw failed.reason;
}

export async function stopAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
