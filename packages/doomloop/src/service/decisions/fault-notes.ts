import { setRecent } from "../../core/collections/bounded.ts";
import type { RunStore } from "./run-store.ts";
import { faultMessage } from "./service-metrics.ts";

type Note = { readonly event: "fault" | "store-back"; readonly message: string };

const NOTED_EVERY_MS = 60_000;
const MAX_KINDS = 32;
const STORE = "the store";
/** No run has this name. */
const NO_RUN = "";

/** Notes a fault of one kind once, then at most once a minute how often it came, and once that the store answers again. */
export function createFaultNotes(now: () => number, onNote: (note: Note) => void) {
  const kinds = new Map<string, { notedAt: number; more: number }>();
  let isAway = false;
  let isTold = false;
  let trial: Promise<void> | undefined;
  let write: (() => Promise<unknown>) | undefined;

  const fault = (reason: unknown): void => {
    const message = faultMessage(reason);
    if (message.startsWith(STORE)) isAway = true;
    const kind = message.replace(/\d{1,20}/g, "0").slice(0, 200);
    const known = kinds.get(kind);
    const isQuiet = known !== undefined && Math.abs(now() - known.notedAt) < NOTED_EVERY_MS;
    const more = (known?.more ?? 0) + 1;
    setRecent(kinds, kind, isQuiet ? { ...known, more } : { notedAt: now(), more: 0 }, MAX_KINDS);
    if (isQuiet) return;
    isTold ||= isAway;
    onNote({
      event: "fault",
      message: known === undefined ? message : `${message} (${more} times since the last line)`,
    });
  };

  const answered = (): void => {
    isAway = false;
    // A store that comes and goes fills no disk either.
    if (!isTold) return;
    isTold = false;
    onNote({ event: "store-back", message: `${STORE} answers again` });
  };

  const watched = async <Value>(asked: Promise<Value>): Promise<Value> => {
    try {
      const reply = await asked;
      answered();
      return reply;
    } catch (error) {
      const message = faultMessage(error);
      throw new Error(message.startsWith(STORE) ? message : `${STORE}: ${message}`, { cause: error });
    }
  };

  /** Saves nothing, for a millisecond: a store may answer and refuse what is written. */
  const tryStore = (): void => {
    if (write === undefined || trial !== undefined) return;
    const done = (): void => {
      trial = undefined;
    };
    trial = watched(write()).then(done, done);
  };

  return {
    fault,
    /** Whether the store's latest answer was a fault. Then it is tried again, so that one who asks later hears that it is back. */
    isStoreAway(): boolean {
      if (isAway) tryStore();
      return isAway;
    },
    /** A store whose faults say that they are the store's. */
    watchStore(store: RunStore): RunStore {
      write = () => store.save(NO_RUN, "", 1);
      return {
        load: (run) => watched(store.load(run)),
        save: (run, text, lifeMs) => watched(store.save(run, text, lifeMs)),
        forget: (run) => watched(store.forget(run)),
      };
    },
  };
}
