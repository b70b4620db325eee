import { describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/server.ts";
import { campaignSize, publish } from "./campaign.ts";
import type { ClientName } from "./connect.ts";
import type { EndingOrder } from "./ending-process.ts";
import { startProcess } from "./start-process.ts";
import { startTopology, type Topology, type TopologyName } from "./topology.ts";

const clientNames: readonly ClientName[] = ["ioredis", "node-redis"];
/** Allowed in addition to what the client takes by itself. A process that hangs on a connection would take many times as long. */
const mostMs = campaignSize({ short: 20_000, full: 4000 });
const [engine] = engines.filter(isInstalled);

/** What happens to the store after a process has connected, until the process has ended. */
const states: readonly { readonly state: string; readonly isThere: boolean; act(topology: Topology): unknown }[] = [
  ...campaignSize({ short: [], full: [{ state: "alive", isThere: true, act: () => {} }] }),
  { state: "silent", isThere: true, act: (topology) => all(topology).map((server) => server.pause()) },
  { state: "dead", isThere: true, act: (topology) => Promise.all(all(topology).map((server) => server.kill())) },
  ...campaignSize({ short: [], full: [{ state: "never there", isThere: false, act: () => {} }] }),
];

function all({ servers, trio }: Topology) {
  return [...servers, ...(trio?.sentinels ?? [])];
}

describe("a process", () => {
  it.concurrent.each<TopologyName>(["sentinel", "cluster"])(
    "ends when its fleet and its client are closed, whatever its store does (%s)",
    async (name) => {
      const topology = await startTopology(engine!, name);
      const servers = topology.servers.map(({ port }) => ({ port }));
      const trio = topology.trio && {
        name: topology.trio.name,
        sentinels: topology.trio.sentinels.map(({ port }) => ({ port })),
      };
      const addresses = { name, servers, ...(trio && { trio }) };
      try {
        for (const { state, isThere, act } of states) {
          const start = (clientName: ClientName, hasFleet: boolean) => {
            const order: EndingOrder = { clientName, addresses, hasFleet, isPatient: isThere };
            return startProcess("ending-process.ts", order);
          };
          // The time of the client alone is measured only in the full campaign.
          const pairs = clientNames.map((clientName) => ({
            ...{ clientName, together: start(clientName, true) },
            alone: campaignSize({ short: undefined, full: () => start(clientName, false) })?.(),
          }));
          const started = pairs.flatMap(({ together, alone }) => [together, ...(alone === undefined ? [] : [alone])]);
          await Promise.all(started.map((process) => process.next()));
          await act(topology);
          for (const process of started) process.release();
          for (const { clientName, together, alone } of pairs) {
            const { tookMs, code, errors } = await together.ended();
            const aloneMs = (await alone?.ended())?.tookMs ?? 0;
            const [took, itself] = [tookMs, aloneMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
            publish(`end | ${name} | ${clientName} | store ${state} | ${took} | client alone ${itself}`);

            expect({ state, clientName, code, errors }).toEqual({ state, clientName, code: 0, errors: "" });
            expect(tookMs - aloneMs).toBeLessThan(mostMs);
          }
          if (state === "silent") for (const server of all(topology)) server.resume();
        }
      } finally {
        await topology.stop();
      }
    },
  );
});
