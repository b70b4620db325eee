import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Engine } from "./engine.ts";
import { freePorts } from "./free-ports.ts";

const READY_MS = 120_000;
const run = promisify(execFile);
/** Ends a server with the process that started it, however that ends. */
const guardian = spawnSync("setpriv", ["--version"]).status === 0 ? ["setpriv", "--pdeathsig", "KILL"] : [];

export interface ServerOptions {
  /**
   * Lines of its configuration beyond port and folder.
   * @default []
   */
  readonly settings?: readonly string[];
  /**
   * Runs as a sentinel.
   * @default false
   */
  readonly isSentinel?: boolean;
  /**
   * Where it listens.
   * @default a free port
   */
  readonly port?: number;
}

export interface Server {
  readonly engine: Engine;
  readonly port: number;
  /** The process of now: another one after a restart. */
  readonly pid: number;
  /** Sends one command and returns the reply as the server's own client prints it. Rejects after twenty seconds. */
  ask(...words: string[]): Promise<string>;
  /** Stops it in the middle of whatever it does: `SIGSTOP`, undone by `resume`. */
  pause(): void;
  resume(): void;
  /** `kill -9`: it has no time to save anything. */
  kill(): Promise<void>;
  /** Starts it again in the same folder, at the same port. */
  restart(): Promise<void>;
  /** Kills it, if it runs, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server in a folder of its own, on loopback, and waits until it answers. */
export async function startServer(engine: Engine, options: ServerOptions = {}): Promise<Server> {
  const { settings = [], isSentinel = false } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const folder = mkdtempSync(join(tmpdir(), `doomloop-${engine}-`));
  const file = join(folder, "server.conf");
  const basics = [`port ${port}`, "bind 127.0.0.1", `dir ${folder}`, "daemonize no"];
  const persistence = isSentinel ? [] : ['save ""', "appendonly no", "repl-diskless-sync-delay 0"];
  writeFileSync(file, `${[...basics, ...persistence, ...settings].join("\n")}\n`);
  const words = [...guardian, `${engine}-server`, file, ...(isSentinel ? ["--sentinel"] : [])];
  const folderGone = () => rmSync(folder, { recursive: true, force: true });
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
  process.once("exit", folderGone);

  return {
    engine,
    port,
    get pid() {
      return child.pid!;
    },
    ask,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill,
    restart: begin,
    async stop() {
      await kill();
      process.off("exit", folderGone);
      folderGone();
    },
  };
}
