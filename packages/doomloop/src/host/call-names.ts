/**
 * Unique names for calls. The host's ids are not always unique: some servers send empty ones, some start counting again with each
 * answer, and some use one id twice in an answer.
 */
export interface CallNames {
  /** Names a new call: with the host's id, if no open call has it. */
  give(hostId: string | undefined): string;
  /** Finds the name of a call that has ended: by its name, or the oldest open call with this id of the host. */
  take(id: string): string;
  /** A new answer begins. From now on, the host's ids refer to its calls. */
  beginAnswer(): void;
  save(): SavedNames;
}

/** The names of open calls, as plain data. */
export interface SavedNames {
  readonly open: readonly (readonly [name: string, hostId: string])[];
  readonly made: number;
}

const MAX_OPEN = 256;

/** Creates the names of one run: empty, or as they were saved. */
export function createCallNames(saved?: SavedNames): CallNames {
  /** The name of each open call with its host id, the oldest first. */
  const open = new Map(saved?.open);
  let made = saved?.made ?? 0;

  return {
    give(hostId) {
      const name = hostId === undefined || hostId === "" || open.has(hostId) ? `call-${++made}` : hostId;
      open.set(name, hostId ?? name);
      if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
      return name;
    },
    take(id) {
      const name = open.has(id) && open.get(id) !== id ? id : (oldest(open, id) ?? id);
      open.delete(name);
      return name;
    },
    beginAnswer: () => open.clear(),
    save: () => ({ open: [...open], made }),
  };
}

/** If a host writes its own words about a call, they are short. */
const MAX_TEXT = 2000;
/** A shorter id may be a word or number that belongs to the result. */
const MIN_ID = 6;

/** Removes a call's id from its result. Some hosts write it into their own words about a call, which then differ each time. */
export function withoutId(output: unknown, id: string): unknown {
  if (typeof output !== "string" || output.length > MAX_TEXT || id.length < MIN_ID) return output;
  return output.replaceAll(id, "");
}

function oldest(open: ReadonlyMap<string, string>, hostId: string): string | undefined {
  for (const [name, id] of open) if (id === hostId) return name;
  return undefined;
}
