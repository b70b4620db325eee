import { parentPort, workerData } from "node:worker_threads";
import { chooseOptions } from "./config.ts";
import { loadReaders } from "./load-readers.ts";
import { type ScanOrder, scanTarget, type WorkerAnswer, type WorkerMessage } from "./scan-file.ts";

/** Scans one file for each message, and answers with what was found. */
const order = workerData as ScanOrder;
const port = parentPort!;
const stopping = new AbortController();
const [readers, guardOptions] = await Promise.all([
  loadReaders(order.readerModules),
  chooseOptions(order.preset, order.config),
]);

/** A message costs as much as reading some kilobytes. */
const TELL_BYTES = 4_000_000;
let untold = 0;

const answer = (message: WorkerAnswer): void => port.postMessage(message);

port.on("message", async (message: WorkerMessage) => {
  if (message.type === "stop") {
    stopping.abort();
    return;
  }
  untold = 0;
  const record = await scanTarget(message.path, {
    ...order,
    readers,
    guardOptions,
    signal: stopping.signal,
    onProgress(bytes) {
      untold += bytes;
      if (untold < TELL_BYTES) return;
      answer({ type: "progress", bytes: untold });
      untold = 0;
    },
  });
  answer({ type: "done", record, isWhole: !stopping.signal.aborted });
});
