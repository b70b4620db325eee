import { parentPort, workerData } from "node:worker_threads";
import { type GuardChoice, loadGuard } from "../quality/load-guard.ts";
import { reactionsIn } from "./measure-reactions.ts";

/** Answers each path with the reactions to the guard of the module that was given. */
const createGuard = await loadGuard(workerData as GuardChoice);
parentPort?.on("message", async (path: string) => parentPort?.postMessage(await reactionsIn(path, createGuard)));
