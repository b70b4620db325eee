import { join } from "node:path";
import { deserialize } from "node:v8";
import { FORGOTTEN_AFTER_MS } from "./expiry.ts";
import { generationNumbers } from "./generation-numbers.ts";
import { GENERATION_BYTES } from "./journal.ts";
import { journalKeys } from "./journal-keys.ts";
import { latestIn } from "./journal-view.ts";

/** Whose journal is read. */
export interface JournalOwner {
  /** The folder of all journals. */
  readonly directory: string;
  readonly session: string;
}

/** The latest state of a session's main agent, for who only looks: nothing is made, and nothing waited for. Throws for faults. */
export function readJournal<State>({ directory, session }: JournalOwner): State | undefined {
  const { name, key } = journalKeys([session, "", GENERATION_BYTES]);
  const folder = join(directory, name);
  const tip = latestIn({ folder, key, generationBytes: GENERATION_BYTES }, generationNumbers(folder));
  if (tip === undefined || tip === "changed" || Date.now() - tip.at > FORGOTTEN_AFTER_MS) return undefined;
  return deserialize(tip.body) as State;
}
