import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export const TOKEN = "a-token-of-the-bench";

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  /** Megabytes that it holds now. Linux only. */
  memory(): number;
  /** Seconds of processor time that it has used so far. Linux only. */
  processorSeconds(): number;
  end(): Promise<void>;
}

const program = resolve(import.meta.dirname, "../../packages/doomloop/dist/cli/main.js");

/** Starts `doomloop serve` as it was built. */
export function startService(words: readonly string[] = []): Promise<ServerProcess> {
  return start([program, "serve", "--listen", "127.0.0.1:0", ...words]);
}

/** Starts a server that reads every request as a whole, and answers with a constant. */
export function startConstant(text: string): Promise<ServerProcess> {
  const code = `const { createServer } = require("node:http");
    const server = createServer((request, response) => {
      const pieces = [];
      request.on("data", (piece) => pieces.push(piece));
      request.on("end", () => {
        Buffer.concat(pieces).toString("utf8");
        response.writeHead(200, { "content-type": "application/json", "content-length": ${Buffer.byteLength(text)} });
        response.end(${JSON.stringify(text)});
      });
    });
    server.listen(0, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:" + server.address().port));`;
  return start(["-e", code]);
}

/** Starts a program for Node that says in its first line where it listens. */
export async function start(words: readonly string[], cwd?: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, DOOMLOOP_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => ["it ended"]),
  ])) as [string];
  const port = Number(/:(\d+)$/.exec(line)?.[1]);
  if (!(port > 0)) throw new Error(`bench: the server did not start: ${line}`);
  child.stdout.resume();
  const read = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    port,
    memory: () => Number(/^VmRSS:\s+(\d+)/m.exec(read("status"))?.[1]) / 1024,
    processorSeconds: () => {
      const fields = read("stat").split(") ")[1]!.split(" ");
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    end: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
