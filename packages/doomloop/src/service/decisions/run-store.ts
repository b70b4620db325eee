import { faultMessage } from "./fault-notes.ts";

/** Where runs that were told something are kept, so that another replica can go on with them. */
export interface RunStore {
  load(run: string): Promise<string | undefined>;
  save(run: string, text: string, lifeMs: number): Promise<unknown>;
  forget(run: string): Promise<unknown>;
}

/** After this time, the service goes on without the store. */
const STORE_MS = 200;

export type WatchedStore = Omit<ReturnType<typeof watchStore>, "isAway">;

/** A store that answers in time: undefined, and a fault for `onFault`, if the real one fails or takes too long. Nothing here rejects. */
export function watchStore(store: RunStore, onFault: (fault: Error) => void, onBack: () => void = () => {}) {
  let isAway = false;
  const watched = async <Value>(ask: () => Promise<Value>): Promise<Value | undefined> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it did not answer within ${STORE_MS} ms`)), STORE_MS);
    });
    try {
      const reply = await Promise.race([ask(), late]);
      if (isAway) onBack();
      isAway = false;
      return reply;
    } catch (error) {
      isAway = true;
      onFault(new Error(`the store: ${faultMessage(error)}`, { cause: error }));
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    /** Whether the latest answer was a fault. */
    isAway: () => isAway,
    load: (run: string) => watched(() => store.load(run)),
    save: (run: string, text: string, lifeMs: number) => watched(() => store.save(run, text, lifeMs)),
    forget: (run: string) => watched(() => store.forget(run)),
  };
}
