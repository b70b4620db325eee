import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "../../packages/doomloop/src/index.ts";
import { type Engine, type Server, startServer } from "../../test/stores/servers/server.ts";
import { type ServerProcess, start, TOKEN } from "../service/server-process.ts";
import { benchFleet, openClients } from "./bench-fleet.ts";
import { ownTimeMs, spentOn, usedMemory } from "./server-costs.ts";
import { toTable } from "./tables.ts";

const RUNS = 1000;
const STEP_MS = 2000;
const SLICES = 50;
const MEASURED_MS = 30_000;
const SETTLE_MS = 15_000;
/** One run in a hundred asks for a page that is gone, again and again. */
const LOOPING = 100;
const program = resolve(import.meta.dirname, "../../packages/doomloop/dist/cli/main.js");
/** The folder with the installed clients. */
const project = resolve(import.meta.dirname, "../../test/stores");

/** The events of one step of a run. */
type Step = readonly [call: object, result: object];

/** What the store and the host spend on 1,000 runs. */
interface HostCosts {
  readonly title: string;
  readonly connections: number;
  readonly commandsPerSecond: number;
  readonly serverShare: number;
  readonly serverBytes: number;
  readonly hostShare: number;
  readonly hostBytes: number;
}

/**
 * All agents of a host behind one membership, that of `doomloop serve --fleet`, beside as many memberships of their own: what each costs the
 * host and the store. Each run makes a call every two seconds.
 */
export async function measureHost(engine: Engine): Promise<void> {
  const costs = [await measureService(engine, true), await measureService(engine, false), await measureOwn(engine)];
  const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`;
  console.log(
    `\n${toTable(
      [
        `one host, ${RUNS} runs, a call each every two seconds`,
        ...["connections", "commands a second", "server, of a core", "memory of the server", "host, of a core"],
        "memory of a run",
      ],
      costs.map((each) => [
        ...[each.title, String(each.connections), each.commandsPerSecond.toFixed(1), percent(each.serverShare)],
        ...[`${(each.serverBytes / 1024).toFixed(0)} KB`, percent(each.hostShare)],
        `${(each.hostBytes / RUNS / 1024).toFixed(0)} KB`,
      ]),
    )}`,
  );
}

/** Runs over HTTP, call and result in one request each. */
async function measureService(engine: Engine, isInFleet: boolean): Promise<HostCosts> {
  const server = await startServer(engine);
  const folder = mkdtempSync(join(tmpdir(), "doomloop-bench-"));
  const key = join(folder, "fleet.key");
  writeFileSync(key, randomBytes(32).toString("base64"), { mode: 0o600 });
  const before = await usedMemory(server);
  const fleet = ["--fleet", `redis://127.0.0.1:${server.port}`, "--key-file", key];
  const service = await start([program, "serve", "--listen", "127.0.0.1:0", ...(isInFleet ? fleet : [])], project);
  const empty = service.memory();
  const post = sender(service);
  const costs = await measureSteps(server, (at, step) => post(`run-${at}`, step), {
    title: isInFleet ? "`doomloop serve --fleet`" : "`doomloop serve`, without a fleet",
    hostMs: () => service.processorSeconds() * 1000,
    hostBytes: () => (service.memory() - empty) * 1024 * 1024,
    before,
  });
  await service.end();
  await server.stop();
  rmSync(folder, { recursive: true });
  return costs;
}

/** Guards in one process, each with a fleet and a connection of its own, as 1,000 processes would have them. */
async function measureOwn(engine: Engine): Promise<HostCosts> {
  const server = await startServer(engine);
  const before = await usedMemory(server);
  globalThis.gc?.();
  const empty = process.memoryUsage().rss;
  const open = await openClients("ioredis", server, RUNS);
  const fleets = open.map(({ client }, at) => benchFleet(at, client));
  const guards = fleets.map((fleet) => createGuard({ fleet: fleet.join({ worker: "agent" }) }));
  const step = async (at: number, events: Step): Promise<void> => {
    for (const event of events) guards[at]!.observe(event as never);
  };
  const costs = await measureSteps(server, step, {
    title: `${RUNS} memberships of their own`,
    hostMs: ownTimeMs,
    hostBytes: () => process.memoryUsage().rss - empty,
    before,
  });
  await Promise.all(fleets.map((fleet) => fleet.close()));
  for (const { close } of open) close();
  await server.stop();
  return costs;
}

interface Measured {
  readonly title: string;
  hostMs(): number;
  hostBytes(): number;
  /** The memory of the server at first. */
  readonly before: number;
}

async function measureSteps(
  server: Server,
  send: (at: number, step: Step) => Promise<unknown>,
  { title, hostMs, hostBytes, before }: Measured,
): Promise<HostCosts> {
  let [steps, slice] = [0, 0];
  const timer = setInterval(() => {
    for (let at = slice++ % SLICES; at < RUNS; at += SLICES) void send(at, stepOf(at, steps++));
  }, STEP_MS / SLICES);
  await wait(SETTLE_MS);
  const hostBefore = hostMs();
  const spent = await spentOn(server, () => wait(MEASURED_MS));
  const spentMs = hostMs() - hostBefore;
  clearInterval(timer);
  const clients = await server.ask("CLIENT", "LIST");
  return {
    title,
    connections: clients.split("\n").filter((line) => !line.includes("cmd=client")).length,
    commandsPerSecond: (spent.commands * 1000) / MEASURED_MS,
    serverShare: spent.serverMs / MEASURED_MS,
    serverBytes: (await usedMemory(server)) - before,
    hostShare: spentMs / MEASURED_MS,
    hostBytes: hostBytes(),
  };
}

function stepOf(at: number, number: number): Step {
  const isGone = at % LOOPING === 0;
  const url = isGone ? "https://docs.example/gone" : `https://docs.example/${number}`;
  const id = String(number);
  const result = isGone ? { output: "404 Not Found", error: true } : { output: `page ${number}` };
  return [
    { type: "call", id, tool: "fetch_page", args: { url } },
    { type: "result", id, ...result },
  ];
}

function sender({ port }: ServerProcess): (run: string, step: Step) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  return (run, events) =>
    new Promise((done, fail) => {
      const body = JSON.stringify({ events });
      const headers = { authorization: `Bearer ${TOKEN}`, "content-length": Buffer.byteLength(body) };
      const path = `/v1/runs/${run}/events`;
      const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (response) => {
        response.resume().on("end", done);
      });
      sent.on("error", fail);
      sent.end(body);
    });
}
