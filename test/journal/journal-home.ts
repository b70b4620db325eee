import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openJournal } from "../../packages/doomloop/src/agents/journal/journal.ts";
import { journalKeys } from "../../packages/doomloop/src/agents/journal/journal-keys.ts";
import { addId, type Ledger } from "./ledger.ts";

/** A journal of one session, looked at from the test's own process. */
export interface JournalHome {
  readonly home: string;
  readonly directory: string;
  readonly session: string;
  readonly generationBytes: number;
  /** The folder of the session's journal. */
  readonly folder: string;
  /** What was added here, in order. */
  readonly added: readonly string[];
  /** Adds an id; the test fails if it is not kept. */
  add(id: string): void;
  /** Those in the state. A look may change files as an update does. */
  ids(): readonly string[];
  remove(): void;
}

export function makeJournalHome(generationBytes = 262_144, parent = tmpdir()): JournalHome {
  const home = mkdtempSync(join(parent, "doomloop-campaign-"));
  const [directory, session] = [join(home, "hooks"), "a session"];
  const added: string[] = [];
  const journal = openJournal<Ledger>({ directory, session, generationBytes, budgetMs: 60_000 });
  return {
    home,
    directory,
    session,
    generationBytes,
    folder: join(directory, journalKeys([session, "", generationBytes]).name),
    added,
    add(id) {
      const outcome = journal.update((ledger) => ({ state: addId(ledger, id), result: undefined }));
      expect(outcome).toMatchObject({ isKept: true });
      added.push(id);
    },
    ids() {
      const outcome = journal.update((ledger) => ({ result: ledger }));
      if (!outcome.isKept) throw new Error(`The journal cannot be read: ${outcome.fault.message}`);
      const { count = 0, ids = [] } = outcome.result ?? {};
      expect(count, "a state is the work of all before it").toBe(ids.length);
      return ids;
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
