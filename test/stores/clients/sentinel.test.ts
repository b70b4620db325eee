import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { fleetContract } from "../../contracts/fleet.ts";
import { type SentinelTrio, startSentinelTrio } from "../servers/sentinel.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";
import { fleetsTogether } from "./together.ts";

describe.each(engines.filter(isInstalled))("a Sentinel trio of %s", (engine) => {
  let trio: SentinelTrio;
  beforeAll(async () => {
    // Nothing fails here, and a busy machine is no reason to replace a primary.
    trio = await startSentinelTrio(engine, [], undefined, 60_000);
  });
  afterAll(() => trio.stop());

  describe.each(clientFamilies)("through $name", ({ name, sentinel }) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await sentinel(
        trio.sentinels.map(({ port }) => port),
        trio.name,
      );
    });
    afterEach(closeFleets);
    afterAll(() => open.close());

    fleetContract(name, (options) => newFleet(open.client, options), 10);
    describe("with other processes", () => fleetsTogether(() => open.client));
  });
});
