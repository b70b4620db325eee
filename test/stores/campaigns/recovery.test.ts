import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startModel } from "../../../bench/fleet/recovery/model.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { startServer } from "../servers/server.ts";

/** Each of the fleets stands for 200 processes: a store of one core is as busy with them as with 10,000. */
const size = { fleets: 50, scale: 200 };

describe.each(engines.filter(isInstalled))("10,000 processes in front of one core, on %s", (engine) => {
  it.each([1_000, 4_000])("are all back after a stall of %i ms, on the connections they had", async (stallMs) => {
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
