import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fleetContract } from "../../contracts/fleet.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { giveRights, liveFully, logins, TENANT, waysIn } from "./rights.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";
import { fleetsTogether } from "./together.ts";

describe.each(engines.filter(isInstalled))("a cluster of %s", (engine) => {
  let cluster: Cluster;
  beforeAll(async () => {
    // Nothing fails here, and a busy machine is no reason to replace a primary.
    cluster = await startCluster(engine, ["cluster-node-timeout 60000"]);
  });
  afterAll(() => cluster.stop());

  describe.each(clientFamilies)("through $name", ({ name, cluster: connect }) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await connect(cluster.servers.map(({ port }) => port));
    });
    afterEach(closeFleets);
    afterAll(() => open.close());

    fleetContract(name, (options) => newFleet(open.client, options), 10);
    describe("with other processes", () => fleetsTogether(() => open.client));
  });

  it.each(waysIn)("lets a worker with the documented rights live in a fleet, through $name", async (way) => {
    await Promise.all(cluster.servers.map(giveRights));
    const { client, close } = await way.cluster(
      cluster.servers.map(({ port }) => port),
      logins.worker,
    );
    const owner = await cluster.ownerOf(`{${TENANT}}`);
    await owner.ask("DEL", `dl3:{${TENANT}}:stops`);

    expect(await liveFully(client)).toEqual([]);
    for (const server of cluster.servers) expect(await server.ask("ACL", "LOG")).toBe("");
    close();
  });
});
