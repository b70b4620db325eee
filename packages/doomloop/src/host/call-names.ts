/**
 * Names for calls that tell one from another, where the host's ids do not: some servers send empty ones, some begin anew with
 * each answer, some use one twice in an answer.
 */
export interface CallNames {
  /** The name of a call that is made: the host's id, where that is free. */
  give(hostId: string | undefined): string;
  /** The name of the call that has ended: by its name, or by the host's id the oldest of those that are open. */
  take(id: string): string;
  /** A new answer begins: results by the host's id are those of its calls. */
  beginAnswer(): void;
  save(): SavedNames;
}

/** Names that are given, as plain data. */
export interface SavedNames {
  readonly open: readonly (readonly [name: string, hostId: string])[];
  readonly made: number;
}

const MAX_OPEN = 256;

/** Creates names for the calls of one run, new or as it was left. */
export function createCallNames(saved?: SavedNames): CallNames {
  /** Names of open calls, with the host's id of each, the oldest first. */
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

/** Longer results are not a host's own words about a call. */
const MAX_TEXT = 2000;
/** A shorter id may be a word, or a number that was asked for. */
const MIN_ID = 6;

/** A result without the id of its call. Some hosts write it into their own words about a call, which then differ each time. */
export function withoutId(output: unknown, id: string): unknown {
  if (typeof output !== "string" || output.length > MAX_TEXT || id.length < MIN_ID) return output;
  return output.replaceAll(id, "");
}

function oldest(open: ReadonlyMap<string, string>, hostId: string): string | undefined {
  for (const [name, id] of open) if (id === hostId) return name;
  return undefined;
}
