import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "../../../test/stores/servers/engine.ts";
import { startServer } from "../../../test/stores/servers/server.ts";
import { startModel } from "./model.ts";

export interface ModelledRecovery {
  readonly title: string;
  readonly fleets: number;
  readonly wereAway: number;
  /** What waited in front of the core when the stall was over. */
  readonly backlogMs: number;
  readonly backMs: number;
  /** Connections that were made, beyond those from the beginning. */
  readonly reconnects: number;
}

/** 10,000 processes. */
const FLEETS = 250;
const SCALE = 40;
const STALLS_MS = [1_000, 5_000, 30_000];
const SETTLE_MS = 10_000;

/** Stalls of a modelled store of one core. */
export async function recoverInModel(engine: Engine): Promise<ModelledRecovery[]> {
  const recoveries: ModelledRecovery[] = [];
  for (const stallMs of STALLS_MS) {
    const server = await startServer(engine);
    const model = await startModel({ port: server.port, fleets: FLEETS, scale: SCALE });
    try {
      await model.allBack();
      await wait(SETTLE_MS);
      model.core.stall(stallMs);
      await wait(stallMs);
      const backlogMs = model.core.backlogMs();
      const backMs = await model.allBack();
      const reconnects = model.core.served().connects - FLEETS;
      const title = `a stall of ${stallMs / 1000} s`;
      const wereAway = model.wereAway() * SCALE;
      recoveries.push({ title, fleets: FLEETS * SCALE, wereAway, backlogMs, backMs, reconnects });
    } finally {
      await model.end();
      await server.stop();
    }
  }
  return recoveries;
}
