import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../contracts/fleet.ts";
import { engines, isInstalled, startServer } from "../servers/server.ts";
import { newsLines } from "./one-server.ts";

const CALLS = 600;

describe.each(engines.filter(isInstalled))("a page that every process calls, on %s", (engine) => {
  it("appears in the news a few times, however often it is called", async () => {
    const server = await startServer(engine);
    const client = new Redis({ port: server.port });
    const options = { client, key: "a secret of the tests", deadlineMs: 60_000 };
    const fleets = ["one", "two"].map((witness) => createRedisFleet({ ...options, witness }));
    try {
      const members = fleets.map((fleet) => fleet.join({ worker: "worker" }));
      for (let at = 0; at < CALLS; at++) {
        members[at % 2]!.report({ id: String(at), fingerprint: fingerprint(0), tool: "fetch", isBarren: true });
        await fleets[at % 2]!.flush();
      }

      expect((await newsLines(client, "default")).length).toBeLessThanOrEqual(8);
    } finally {
      await Promise.all(fleets.map((fleet) => fleet.close()));
      client.disconnect();
      await server.stop();
    }
  });
});
