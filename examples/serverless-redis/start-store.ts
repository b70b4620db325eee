import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";

export interface Store {
  readonly url: string;
  stop(): Promise<void>;
}

/** The server at `REDIS_URL`, or a new one on a free port that keeps nothing on disk; undefined if there is none. */
export async function startStore(): Promise<Store | undefined> {
  const given = process.env.REDIS_URL;
  if (given) return { url: given, stop: async () => {} };
  const program = ["redis-server", "valkey-server"].find((each) => spawnSync(each, ["--version"]).status === 0);
  if (program === undefined) return undefined;
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(program, options, { stdio: "ignore" });
  const url = `redis://127.0.0.1:${port}`;
  await answering(url);
  return {
    url,
    async stop() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as { port: number };
  const closed = once(listener, "close");
  listener.close();
  await closed;
  return port;
}

async function answering(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 50 });
  client.on("error", () => {});
  await Promise.race([client.ping(), wait(5000)]);
  client.disconnect();
}
