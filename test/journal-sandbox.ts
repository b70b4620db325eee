import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  type Change,
  type Journal,
  type JournalOptions,
  openJournal,
  type Update,
} from "../packages/doomloop/src/agents/journal/journal.ts";

/** The state of the journals that are tried. */
export interface Counter {
  count: number;
  note?: string;
}

export const plusOne: Change<Counter, number> = (state) => {
  const count = (state?.count ?? 0) + 1;
  return { state: { ...state, count }, result: count };
};

export const kept = <Result>(result: Result): Update<Result> => ({ isKept: true, result });

export const look = (state: Counter | undefined) => ({ result: state });

/** A folder of journals, made anew for each test of the file that asks for it. */
export function createJournalSandbox() {
  let home = "";
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "doomloop-journal-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const directory = (): string => join(home, "state", "hooks");
  return {
    home: () => home,
    directory,
    journal: (options: Partial<JournalOptions> = {}): Journal<Counter> =>
      openJournal<Counter>({ directory: directory(), session: "s", ...options }),
    /** The files of all journals, by their paths. */
    files: (): string[] =>
      readdirSync(directory()).flatMap((name) =>
        readdirSync(join(directory(), name)).map((file) => join(directory(), name, file)),
      ),
  };
}
