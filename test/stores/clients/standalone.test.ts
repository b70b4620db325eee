import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { fleetContract } from "../../contracts/fleet.ts";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";
import { fleetsTogether } from "./together.ts";

describe.each(engines.filter(isInstalled))("one server of %s", (engine) => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer(engine);
  });
  afterAll(() => server.stop());

  describe.each(clientFamilies)("through $name", ({ name, standalone }) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await standalone(server.port);
    });
    afterEach(closeFleets);
    afterAll(() => open.close());

    fleetContract(name, (options) => newFleet(open.client, options), 20);
    describe("with other processes", () => fleetsTogether(() => open.client));
  });
});
