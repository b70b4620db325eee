import { appendFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JournalHome, makeJournalHome } from "./journal-home.ts";
import type { ProcessOrder } from "./ledger.ts";
import { expiredFolder } from "./system-calls.ts";

/** What a process may come upon. Each makes a journal anew, the same every time. */
export const situations: Readonly<Record<string, () => JournalHome>> = {
  "a journal that is not there": () => makeJournalHome(1024),
  "a journal in use": () => {
    const home = makeJournalHome(1024);
    for (const id of ["a", "b"]) home.add(id);
    return home;
  },
  "a journal whose file has no room for another record": () => {
    const home = makeJournalHome(1024);
    for (let count = 0; sizeOf(home) < 900; count++) home.add(String(count));
    return home;
  },
  "a journal whose file is closed": () => {
    const home = makeJournalHome(1024);
    for (const id of ["a", "b"]) home.add(id);
    appendFileSync(latestFile(home), Buffer.alloc(1024));
    return home;
  },
  "a journal whose new file was left empty, and an expired one": () => {
    const home = makeJournalHome(1024);
    for (const id of ["a", "b"]) home.add(id);
    appendFileSync(latestFile(home), Buffer.alloc(1024));
    writeFileSync(join(home.folder, "1"), "", { mode: 0o600 });
    leaveExpired(home);
    return home;
  },
};

export function orderFor({ directory, session, generationBytes }: JournalHome): ProcessOrder {
  // Stops take as long as they take: no budget may end before them.
  return { directory, session, generationBytes, budgetMs: 600_000, ids: ["own"], sweeps: true };
}

function leaveExpired({ directory }: JournalHome): void {
  const folder = expiredFolder(directory);
  const file = join(folder, "0");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(file, "old");
  for (const path of [file, folder]) utimesSync(path, 0, 0);
}

function latestFile({ folder }: JournalHome): string {
  return join(folder, readdirSync(folder).toSorted().at(-1)!);
}

function sizeOf(home: JournalHome): number {
  return statSync(home.folder, { throwIfNoEntry: false }) === undefined ? 0 : statSync(latestFile(home)).size;
}
