import { parentPort, workerData } from "node:worker_threads";
import { reactionsIn } from "./agents.ts";
import type { ReplayOrder } from "./data.ts";
import { type GuardChoice, loadGuard } from "./guard.ts";
import { judgeSource } from "./judge-run.ts";
import { type QuickOrder, replayFile } from "./quick-run.ts";
import type { Job } from "./workers.ts";

/** Answers each message with what the job makes of it, and of the guard that was given. */
const { job, choice } = workerData as { readonly job: Job; readonly choice: GuardChoice };
const createGuard = await loadGuard(choice);
const jobs: Readonly<Record<Job, (order: never) => unknown>> = {
  judge: (order: ReplayOrder) => judgeSource(order, createGuard),
  replay: (order: QuickOrder) => replayFile(order, createGuard),
  react: (path: string) => reactionsIn(path, createGuard),
};
parentPort?.on("message", async (order) => parentPort?.postMessage(await jobs[job](order as never)));
