import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startModel } from "../../../bench/fleet/recovery/modelled-recovery.ts";
import { engines, isInstalled, startServer } from "../servers/server.ts";

/** Each fleet stands for 200 processes, so that a store with one core is as busy as with 10,000. */
const size = { fleets: 50, scale: 200 };

describe.each(engines.filter(isInstalled))("10,000 processes in front of one core, on %s", (engine) => {
  it.each([1_000, 4_000])("are all back after a stall of %i ms, on the same connections", async (stallMs) => {
    const server = await startServer(engine);
    const model = await startModel({ ...size, port: server.port });
    try {
      await model.allBack();
      model.core.stall(stallMs);
      await wait(stallMs);
      await model.allBack();

      expect(model.core.served()).toMatchObject({ connects: size.fleets, wasted: 0 });
    } finally {
      await model.end();
      await server.stop();
    }
  });
});
