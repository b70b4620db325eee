import { parentPort, workerData } from "node:worker_threads";
import { type GuardChoice, loadGuard } from "../quality/load-guard.ts";
import type { QuickOrder } from "./quick-run.ts";
import { replayFile } from "./replay-file.ts";

/** Replays one file for each message, through the guard of the module that was given, and answers with what was said. */
const createGuard = await loadGuard(workerData as GuardChoice);
parentPort?.on("message", (order: QuickOrder) => parentPort?.postMessage(replayFile(order, createGuard)));
