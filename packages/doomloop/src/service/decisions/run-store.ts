/** Where runs that were told something are kept, so that another replica can go on with them. */
export interface RunStore {
  /** The text that was saved for a run; undefined if there is none. */
  load(run: string): Promise<string | undefined>;
  /** Returns the beginning of the text that it replaces, if there was one: at least `START_OF_SAVED` characters. */
  save(run: string, text: string, lifeMs: number): Promise<string | undefined>;
  forget(run: string): Promise<void>;
}

/** After this time, the service goes on without the store. */
const STORE_MS = 200;

/** Gives up on a promise of the store when it takes too long. */
export async function withinStoreTime<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the store did not answer within ${STORE_MS} ms`)), STORE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loads the texts of runs. Several requests for one run wait for the same answer. Never rejects. */
export function createRunLoader(store: RunStore, onFault: (fault: unknown) => void) {
  const loading = new Map<string, Promise<string | undefined>>();
  return (run: string): Promise<string | undefined> => {
    const known = loading.get(run);
    if (known !== undefined) return known;
    const asked = withinStoreTime(store.load(run))
      .catch((fault: unknown) => {
        onFault(fault);
        return undefined;
      })
      .finally(() => loading.delete(run));
    loading.set(run, asked);
    return asked;
  };
}
