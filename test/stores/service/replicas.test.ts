import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSize } from "../../campaign-size.ts";
import { engines, freePorts, isInstalled, type Server, startServer } from "../servers/server.ts";
import { type LoopingRun, loopingRun } from "./looping-run.ts";
import { type Replica, startReplica, TOKEN } from "./replica.ts";

const deploy = resolve(import.meta.dirname, "../../../deploy");
const RUNS = campaignSize({ short: 30, full: 500 });
/** So many laps at most until a looping run is stopped, by one replica or several. */
const MOST_LAPS = 60;
/** A run may have been told last so many calls before its replica died. Those in between are counted anew. */
const LOST_CALLS = 8;

/** A balancer with the file that we publish, at other ports. */
interface Balancer {
  readonly name: string;
  readonly file: string;
  words(file: string, folder: string): readonly string[];
}

const balancers: readonly Balancer[] = [
  {
    name: "nginx",
    file: "nginx.conf",
    words: (file, folder) => ["-p", folder, "-c", file, "-e", "stderr", "-g", `daemon off; pid ${folder}/pid;`],
  },
  { name: "haproxy", file: "haproxy.cfg", words: (file) => ["-f", file] },
];

let store: Server;
let folder: string;
let replicas: Replica[];
let balancer: ChildProcess | undefined;
beforeEach(async () => {
  store = await startServer(engines.find(isInstalled)!);
  folder = mkdtempSync(join(tmpdir(), "doomloop-replicas-"));
  replicas = [];
});
afterEach(async () => {
  if (balancer !== undefined) {
    const exited = once(balancer, "exit");
    balancer.kill("SIGTERM");
    await exited;
    balancer = undefined;
  }
  await Promise.all(replicas.map((replica) => replica.kill()));
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startBalancer({ name, file, words }: Balancer): Promise<number> {
  const [port = 0] = await freePorts(1);
  const ports = [port, ...replicas.map((replica) => replica.port)];
  const text = ["4177", "4181", "4182"].reduce(
    (config, published, at) => config.replaceAll(`127.0.0.1:${published}`, `127.0.0.1:${ports[at]}`),
    readFileSync(join(deploy, file), "utf8"),
  );
  writeFileSync(join(folder, file), text);
  balancer = spawn(name, words(join(folder, file), folder), { stdio: "ignore" });
  await expect.poll(() => isReady(port), { timeout: 60_000 }).toBe(true);
  return port;
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function standingOf(port: number, run: string): Promise<{ events: number } | undefined> {
  // A connection that was kept may be closed by the other side at any moment.
  const headers = { authorization: `Bearer ${TOKEN}`, connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}/v1/runs/${run}`, { headers });
  return response.ok ? ((await response.json()) as { events: number }) : undefined;
}

const laps = (runs: readonly LoopingRun[]): Promise<unknown> => Promise.all(runs.map((run) => run.lap()));

describe.skipIf(!engines.some(isInstalled))("two replicas with a store", () => {
  it.for(balancers)(
    "behind $name stop every looping run, though one is killed in the middle",
    async (one, { skip }) => {
      if (spawnSync(one.name, ["-v"]).status !== 0) skip(`${one.name} is not installed`);
      replicas = await Promise.all([startReplica(store.port), startReplica(store.port)]);
      const port = await startBalancer(one);
      const runs = Array.from({ length: RUNS }, (_, at) => loopingRun(`run-${at}`, port));
      const alone = loopingRun("alone", replicas[1]!.port);
      for (let lap = 0; lap < 12; lap++) await laps([...runs, alone]);
      // Both have some of them.
      const direct = await Promise.all(
        replicas.map(async (replica) => Promise.all(runs.map((run) => standingOf(replica.port, run.name)))),
      );
      expect(direct.every((known) => known.some((standing) => standing !== undefined))).toBe(true);
      await replicas[0]!.kill();
      for (let lap = 0; lap < MOST_LAPS; lap++) await laps([...runs, alone]);

      const needed = alone.stoppedAt ?? Number.NaN;
      const late = runs.map(({ stoppedAt = Number.POSITIVE_INFINITY }) => stoppedAt - needed);
      // biome-ignore lint/suspicious/noConsole: it says how much later than alone
      console.log(`${one.name}: ${RUNS} runs, alone after ${needed} calls, at most ${Math.max(...late)} later`);
      expect(Math.max(...late)).toBeLessThanOrEqual(LOST_CALLS);
      // Too little may be counted, but nothing twice.
      expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
      const counted = await Promise.all(
        runs.map(async ({ name, sent }) => sent - (await standingOf(port, name))!.events),
      );
      expect(Math.min(...counted)).toBeGreaterThanOrEqual(0);
    },
  );

  it("go on with all told runs where one is asked to end", async () => {
    const first = await startReplica(store.port);
    replicas = [first];
    const runs = Array.from({ length: 10 }, (_, at) => loopingRun(`run-${at}`, first.port));
    for (let lap = 0; lap < 6; lap++) await laps(runs);
    await first.stop();
    const other = await startReplica(store.port, first.port);
    replicas.push(other);

    for (const { name, sent } of runs) expect(await standingOf(other.port, name)).toMatchObject({ events: sent });
  });

  it("start without the store, and use it once it is there", async () => {
    await store.kill();
    const replica = await startReplica(store.port);
    replicas = [replica];
    const run = loopingRun("early", replica.port);
    for (let lap = 0; lap < 6; lap++) await run.lap();
    expect((await standingOf(replica.port, "early"))?.events).toBe(12);
    await store.restart();
    const isKept = async (): Promise<string> => {
      await run.lap();
      return store.ask("EXISTS", "doomloop:run:early");
    };

    await expect.poll(isKept, { timeout: 60_000, interval: 500 }).toBe("1");
  });

  it("answer without the store, and with it again when it is back", async () => {
    const replica = await startReplica(store.port);
    replicas = [replica];
    const run = loopingRun("run", replica.port);
    for (let lap = 0; lap < 3; lap++) await run.lap();
    await store.kill();
    for (let lap = 0; lap < 10; lap++) await run.lap();
    expect((await standingOf(replica.port, "run"))?.events).toBe(26);
    await store.restart();
    const keptAgain = async (): Promise<string> => {
      await run.lap();
      return store.ask("EXISTS", "doomloop:run:run");
    };
    await expect.poll(keptAgain, { timeout: 60_000 }).toBe("1");
    expect(await store.ask("TTL", "doomloop:run:run")).toMatch(/^\d{4}$/);
  });
});
