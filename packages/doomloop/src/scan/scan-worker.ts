import { parentPort, workerData } from "node:worker_threads";
import { chooseOptions } from "./config.ts";
import { loadReaders } from "./load-readers.ts";
import { type ScanOrder, scanTarget, type WorkerAnswer, type WorkerMessage } from "./scan-file.ts";

/** A worker thread. It scans one file for each message and answers with the record. */
const order = workerData as ScanOrder;
const port = parentPort!;
const stopping = new AbortController();
const [readers, guardOptions] = await Promise.all([
  loadReaders(order.readerModules),
  chooseOptions(order.preset, order.config),
]);

/** Report progress rarely: a message takes as long as reading several kilobytes. */
const REPORT_BYTES = 4_000_000;
let unreported = 0;

const answer = (message: WorkerAnswer): void => port.postMessage(message);

port.on("message", async (message: WorkerMessage) => {
  if (message.type === "stop") {
    stopping.abort();
    return;
  }
  unreported = 0;
  const record = await scanTarget(message.path, {
    ...order,
    readers,
    guardOptions,
    signal: stopping.signal,
    onProgress(bytes) {
      unreported += bytes;
      if (unreported < REPORT_BYTES) return;
      answer({ type: "progress", bytes: unreported });
      unreported = 0;
    },
  });
  answer({ type: "done", record, isWhole: !stopping.signal.aborted });
});
