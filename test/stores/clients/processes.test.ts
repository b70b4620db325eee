import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { freePorts, isInstalled, type Server, startServer, stopAll } from "../servers/server.ts";
import { until } from "../servers/until.ts";

const program = join(import.meta.dirname, "agent-process.ts");

/** Starts a process with an agent, and collects its output. */
function startAgent(...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  const ended = once(child, "exit").then(([code]) => code as number);
  return {
    hasSaid: (line: string) => until(`it says ${line}`, () => said.includes(line)),
    goOn: () => child.stdin.write("go on\n"),
    /** How it ended: exit code, output, and the time since it began to close. */
    async end() {
      const code = await ended;
      return { code, said, afterMs: Number(/ended after (-?\d+) ms/.exec(said)?.[1]) };
    },
  };
}

/** What happens to a store while a process uses it. */
const fates: Readonly<Record<string, (server: Server) => void | Promise<void>>> = {
  there() {},
  silent: (server) => server.pause(),
  dead: (server) => server.kill(),
};

describe.skipIf(!isInstalled("redis")).each(["ioredis", "node-redis"])("a process with a fleet, and %s", (name) => {
  const servers: Server[] = [];
  const newServer = async (): Promise<Server> => {
    const server = await startServer("redis");
    servers.push(server);
    return server;
  };
  afterEach(() => stopAll(servers.splice(0)));
  const endOf = async (how: string, port: number, meanwhile: () => void | Promise<void>) => {
    const agent = startAgent(name, how, String(port));
    await agent.hasSaid("ready");
    await meanwhile();
    agent.goOn();
    return agent.end();
  };

  it("ends within two seconds, whether its store is up, silent or dead", async () => {
    const ends = await Promise.all(
      Object.entries(fates).map(async ([what, meets]) => {
        const server = await newServer();
        return { what, ...(await endOf("connected", server.port, () => meets(server))) };
      }),
    );

    expect(ends.filter(({ code, afterMs }) => code !== 0 || !(afterMs < 2000))).toEqual([]);
  });

  it("ends within two seconds if its store never answered or never existed", async () => {
    const silent = createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const [nobody] = await freePorts(1);
    const ports = [(silent.address() as { port: number }).port, nobody!];
    const ends = await Promise.all(ports.map((port) => endOf("connecting", port, () => {})));
    silent.close();

    expect(ends.filter(({ code, afterMs }) => code !== 0 || !(afterMs < 2000))).toEqual([]);
  });

  it("survives the death of its store without an error listener on its client, and callbacks that fail", async () => {
    const server = await newServer();
    const agents = [[], ["throwing"], ["rejecting"]].map((callbacks) =>
      startAgent(name, "unheard", String(server.port), ...callbacks),
    );
    await Promise.all(agents.map((agent) => agent.hasSaid("ready")));
    await server.kill();
    for (const agent of agents) agent.goOn();
    const ends = await Promise.all(agents.map((agent) => agent.end()));

    for (const { code, said } of ends) expect([code, said]).toEqual([0, expect.stringContaining("noticed")]);
    expect(ends.map(({ said }) => said).join()).not.toContain("Error");
  });
});
