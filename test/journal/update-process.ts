import { readSync, writeSync } from "node:fs";
import { openJournal } from "../../packages/doomloop/src/agents/journal/journal.ts";
import { removeExpired } from "../../packages/doomloop/src/agents/journal/remove-expired.ts";
import { addId, type Ledger, type ProcessOrder, type ProcessReport } from "./ledger.ts";

/**
 * A process that does what a hook does: it changes the state, says so, and tidies up. Its order comes as JSON in an argument; what it
 * says are lines of JSON, each written when the update has returned.
 */
const { ids, isHeld, sweeps, fillerBytes, ...options } = JSON.parse(process.argv[2]!) as ProcessOrder;
const journal = openJournal<Ledger>(options);

// Held until somebody writes to it or goes away, so that many begin at the same time.
if (isHeld) readSync(0, Buffer.alloc(1));
for (const id of ids) {
  const start = performance.now();
  let tries = 0;
  const outcome = journal.update((ledger) => {
    tries++;
    return { state: addId(ledger, id, fillerBytes), result: undefined };
  });
  const ms = performance.now() - start;
  const report: ProcessReport = {
    id,
    isKept: outcome.isKept,
    tries,
    ms,
    ...(outcome.isKept ? {} : { code: outcome.fault.code }),
  };
  writeSync(1, `${JSON.stringify(report)}\n`);
}
if (sweeps) removeExpired({ directory: options.directory, intervalMs: 0 });
