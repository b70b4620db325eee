import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { report, reports, tell } from "../../contracts/fleet.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";
import { closeFleets, newFleet } from "./fleets.ts";

/** The rule as the documentation gives it. */
const page = readFileSync(join(import.meta.dirname, "../../../docs/fleet.md"), "utf8");
const rule = /^ACL SETUSER .*?(?=^```)/ms.exec(page)?.[0].replaceAll("\\\n", " ").trim().split(/\s+/) ?? [];

describe.each(engines.filter(isInstalled))(
  "a worker of %s with the rights that the documentation gives it",
  (engine) => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer(engine);
      expect(await server.ask(...rule)).toBe("OK");
    });
    afterEach(closeFleets);
    afterAll(() => server.stop());
    const login = { username: "worker", password: "a-long-password" };

    it("can do all that a fleet does, and touch no other tenant", async () => {
      const client = new Redis({ port: server.port, ...login });
      const fleet = newFleet(client, { tenant: "acme", calls: 2 });
      const members = ["one", "two"].map((worker) => fleet.join({ worker }));
      await once(client, "ready");
      for (const member of members) tell(member, ...reports(3));
      await fleet.flush();
      tell(members[0]!, report(3, { isBarren: false }));
      await fleet.flush();
      for (const member of members) {
        tell(member, report(4));
        member.looping?.();
        member.mayStop?.();
      }
      await fleet.flush();
      expect([fleet.findings(), fleet.stats().faults]).toMatchObject([[{ calls: 2 }], 0]);
      fleet.clear();
      await fleet.flush();
      expect(fleet.stats().faults).toBe(0);

      const stranger = newFleet(client, { tenant: "other" });
      await stranger.flush();
      expect(stranger.stats().faults).toBeGreaterThan(0);
      await expect(client.keys("*")).rejects.toThrow("NOPERM");
      await expect(client.get("dl1:{other:control}:switch")).rejects.toThrow("NOPERM");
      client.disconnect();
    });

    it("can do so with node-redis too", async () => {
      const client = createClient({ socket: { host: "127.0.0.1", port: server.port }, ...login });
      await client.connect();
      const fleet = newFleet(client, { tenant: "acme" });
      tell(fleet.join({ worker: "one" }), report(0));
      await fleet.flush();

      expect(fleet.stats()).toMatchObject({ delivered: 1, faults: 0 });
      client.destroy();
    });
  },
);
