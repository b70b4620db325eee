import { parentPort } from "node:worker_threads";
import type { ReplayOrder } from "./replay-order.ts";
import { replaySource } from "./replay-source.ts";

/** Replays one source for each message, and answers with it. */
parentPort?.on("message", async (order: ReplayOrder) => parentPort?.postMessage(await replaySource(order)));
