import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "../../packages/doomloop/src/index.ts";
import { type Engine, startServer } from "../../test/stores/servers/server.ts";
import { benchFleet, openClients } from "./bench-fleet.ts";
import { ownTimeMs, spentOn } from "./server-costs.ts";
import { toTable } from "./tables.ts";

const RUNS = 1000;
const STEP_MS = 2000;
const SLICES = 50;
const MEASURED_MS = 30_000;
/** One run in a hundred asks for a page that is gone, again and again. */
const LOOPING = 100;

/** All agents of a host behind one membership: what that costs the host's process and the store. */
export async function measureHost(engine: Engine): Promise<void> {
  const server = await startServer(engine);
  const [open] = await openClients("ioredis", server, 1);
  const fleet = benchFleet(0, open!.client);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const guards = Array.from({ length: RUNS }, (_, at) =>
    createGuard({ fleet: fleet.join({ worker: `agent ${at}`, run: "1" }) }),
  );
  let steps = 0;
  const step = (slice: number): void => {
    for (let at = slice; at < RUNS; at += SLICES) {
      const url = at % LOOPING === 0 ? "https://docs.example/gone" : `https://docs.example/${steps++}`;
      const isGone = at % LOOPING === 0;
      guards[at]!.observe({ type: "call", tool: "fetch_page", args: { url } });
      guards[at]!.observe({
        type: "result",
        output: isGone ? "404 Not Found" : `page ${steps}`,
        ...(isGone && { error: true }),
      });
    }
  };
  let slice = 0;
  const timer = setInterval(() => step(slice++ % SLICES), STEP_MS / SLICES);
  await wait(2 * STEP_MS);
  const ownBefore = ownTimeMs();
  const spent = await spentOn(server, () => wait(MEASURED_MS));
  const ownMs = ownTimeMs() - ownBefore;
  clearInterval(timer);
  const kilobytes = (process.memoryUsage().heapUsed - before) / RUNS / 1024;
  const perSecond = 1000 / MEASURED_MS;
  console.log(
    `\n${toTable(
      [`one host, ${RUNS} runs, a call each every two seconds`, ""],
      [
        ["processor time of its process, guards included", `${((ownMs * perSecond) / 10).toFixed(1)} % of a core`],
        ["processor time of the server", `${((spent.serverMs * perSecond) / 10).toFixed(3)} % of a core`],
        ["commands to the server in a second", (spent.commands * perSecond).toFixed(1)],
        ["memory of a run in that process", `${kilobytes.toFixed(0)} KB`],
        ["dead ends that it knows", String(fleet.findings().length)],
      ],
    )}`,
  );
  await fleet.close();
  open!.close();
  await server.stop();
}
