import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { AgentPlace, AgentStart } from "../shared/coding-agents/coding-agent.ts";
import { environmentOf } from "../shared/coding-agents/run-agent.ts";

export interface AppServer {
  /** Resolves to the result, and rejects with what Codex says is wrong. */
  ask(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  end(): Promise<void>;
}

/** Codex as an editor starts it. */
export async function startAppServer({ program, env }: AgentStart, place: AgentPlace): Promise<AppServer> {
  const child = spawn(program, ["app-server"], {
    cwd: place.folder,
    env: { ...environmentOf(place), ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const waiting = new Map<number, (message: { result?: object; error?: object }) => void>();
  createInterface(child.stdout).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let count = 0;
  const server: AppServer = {
    async ask(method, params) {
      const id = ++count;
      const answered = new Promise<{ result?: object; error?: object }>((resolve) => waiting.set(id, resolve));
      send({ id, method, params });
      const { result, error } = await answered;
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return { ...result };
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
  const clientInfo = { name: "editor", title: "editor", version: "1" };
  await server.ask("initialize", { clientInfo, capabilities: { experimentalApi: true } });
  send({ method: "initialized" });
  return server;
}
