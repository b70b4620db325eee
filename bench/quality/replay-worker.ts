import { parentPort, workerData } from "node:worker_threads";
import type { ReplayOrder } from "./replay-order.ts";
import { type Replacement, replaceFunctions } from "./without/replace-functions.ts";

/** Replays one source for each message, and answers with it. Core is loaded with the functions replaced that were given. */
const requireAll = replaceFunctions(workerData as readonly Replacement[]);
const { replaySource } = await import("./replay-source.ts");
requireAll();
parentPort?.on("message", async (order: ReplayOrder) => parentPort?.postMessage(await replaySource(order)));
