import { once } from "node:events";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { type Engine, engines, isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";
import { closeFleets } from "./fleets.ts";

export interface OneServer {
  readonly engine: Engine;
  readonly server: Server;
  /** For fleets, and for what an operator does. */
  readonly client: Redis;
}

/** Runs tests on one server of each engine, with a client of ioredis. Fleets are closed after each test. */
export function onEachEngine(title: string, tests: (store: OneServer) => void): void {
  describe.each(engines.filter(isInstalled))(`${title}, in %s`, (engine) => {
    let server: Server;
    let client: Redis;
    beforeAll(async () => {
      server = await startServer(engine);
      client = new Redis({ port: server.port });
      client.on("error", () => {});
      await once(client, "ready");
    });
    afterEach(closeFleets);
    afterAll(async () => {
      client.disconnect();
      await server.stop();
    });

    tests({
      engine,
      get server() {
        return server;
      },
      get client() {
        return client;
      },
    });
  });
}
