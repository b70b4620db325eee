import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { fleetContract } from "../../contracts/fleet.ts";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

describe.each(engines.filter(isInstalled))("a cluster of %s", (engine) => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(engine);
  });
  afterAll(() => cluster.stop());

  describe.each(clientFamilies)("through $name", ({ name, cluster: connect }) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await connect(cluster.servers.map(({ port }) => port));
    });
    afterEach(closeFleets);
    afterAll(() => open.close());

    fleetContract(name, (options) => newFleet(open.client, { shards: 8, ...options }), 10);
  });
});
