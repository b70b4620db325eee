import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { fleetContract } from "../../contracts/fleet.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { type SentinelTrio, startSentinelTrio } from "../servers/sentinel.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

describe.each(engines.filter(isInstalled))("a Sentinel trio of %s", (engine) => {
  let trio: SentinelTrio;
  beforeAll(async () => {
    trio = await startSentinelTrio(engine);
  });
  afterAll(() => trio.stop());

  // Glide does not speak to sentinels: it is given the addresses of the servers instead, and finds the primary itself.
  describe.each(clientFamilies.filter(({ sentinel }) => sentinel))("through $name", ({ name, sentinel }) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await sentinel!(
        trio.sentinels.map(({ port }) => port),
        trio.name,
      );
    });
    afterEach(closeFleets);
    afterAll(() => open.close());

    fleetContract(name, (options) => newFleet(open.client, options), 10);
  });
});
