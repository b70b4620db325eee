import { type StoreAnswer, type StoreNews, storeRefusal } from "../store.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import { HEAD, MAX_READ, PAGE, readNewsPage } from "./news-log.ts";
import { bytesIn, type Command, errorIn, numberIn, readServerTime, textIn } from "./redis-commands.ts";

/** What one heartbeat brought. */
type NewsRead = Pick<StoreAnswer, "news" | "cursor" | "isMore" | "isComplete" | "isFlooded" | "isRemoved" | "refusal">;

/** How far a process has read the news of a window, and how they began then. */
interface Position {
  readonly offset: number;
  readonly head: string;
}

type Positions = ReadonlyMap<number, Position>;

/** Late lines of a window come within this time. */
const GRACE_MS = 15_000;

function positionsIn(cursor: unknown): Positions {
  return cursor instanceof Map ? (cursor as Positions) : new Map<number, Position>();
}

/** The commands that ask how much there is to read, and the windows that they are about. */
interface SizeQuestion {
  readonly commands: readonly Command[];
  readonly epochs: readonly number[];
}

/** Reads the news of a tenant: the lines of this window and of the one before. Sizes are read before values. */
export function createNewsReader(
  send: (group: readonly Command[]) => Promise<readonly unknown[]>,
  keys: FleetKeys,
  windowMs: number,
) {
  /** The server's time, and when it was read by the clock of this process. */
  let known: { readonly serverMs: number; readonly at: number } | undefined;
  /** How long the news were when this process last wrote there. */
  let written = { key: "", length: 0 };

  const epochAt = (serverMs: number): number => Math.floor(serverMs / windowMs);
  /** The windows to look at: this one, and the one before until it was read and nobody adds to it any more. */
  const epochsNow = (positions: Positions): readonly number[] => {
    const serverMs = timeNow();
    if (serverMs === undefined) return [];
    const epoch = epochAt(serverMs);
    const isOver = positions.has(epoch - 1) && serverMs - epoch * windowMs > GRACE_MS;
    return isOver ? [epoch] : [epoch - 1, epoch];
  };
  /** Asks how long the news are, and how they begin: if the store was emptied, they may be as long again as they were. */
  const sizesOf = (epochs: readonly number[]): Command[] => [
    ...epochs.map((each): Command => ["STRLEN", keys.news(each)]),
    ...epochs.map((each): Command => ["GETRANGE", keys.news(each), "0", String(HEAD - 1)]),
  ];

  const timeNow = (): number | undefined => known && known.serverMs + performance.now() - known.at;

  const learn = (reply: unknown): void => {
    const serverMs = readServerTime(reply);
    if (serverMs !== undefined) known = { serverMs, at: performance.now() };
  };

  /** Reads what is new in one window, up to a limit. */
  const readEpoch = async (epoch: number, length: number, from: number, serverMs: number) => {
    // Somebody has removed the key, or has written far more than processes do: go on with what is there, or with the end of it.
    const start = from > length ? 0 : from;
    const isFlooded = length - start > MAX_READ;
    const first = isFlooded ? length - MAX_READ : start;
    const size = Math.min(length - first, PAGE);
    const [reply] = await send([["GETRANGE", keys.news(epoch), String(first), String(first + size - 1)]]);
    const bytes = bytesIn(reply);
    const page = readNewsPage(bytes, serverMs, windowMs);
    // Bytes that are no text change their length on the way through a client: then no part of a line is kept for later.
    const offset = first + (bytes.length === size ? page.used : size);
    return { news: page.news, offset, isMore: offset > first && size === PAGE && offset < length, isFlooded };
  };

  return {
    /** The server's time now. */
    async serverTime(): Promise<number> {
      if (known === undefined) {
        // The other command is always answered, which tells a rejected TIME from a store that is away.
        const replies = await send([["TIME"], ["STRLEN", keys.settings]]);
        learn(replies[0]);
        if (known === undefined) throw storeRefusal(errorIn(replies)?.message ?? "the server does not tell its time");
      }
      return timeNow()!;
    },
    keyAt: (serverMs: number): string => keys.news(epochAt(serverMs)),
    /** This process has appended to the news, which were so long then. */
    noteWritten(key: string, reply: unknown): void {
      written = { key, length: numberIn(reply) ?? 0 };
    },
    /** Asks for the time, and how much there is to read. Without the time, nobody knows where. */
    question(cursor: unknown): SizeQuestion {
      const epochs = epochsNow(positionsIn(cursor));
      return { commands: [["TIME"], ...sizesOf(epochs)], epochs };
    },
    /** Reads what is new, by the replies to a question. */
    async read({ epochs }: SizeQuestion, [time, ...told]: readonly unknown[], cursor: unknown): Promise<NewsRead> {
      learn(time);
      const refused = errorIn([time, ...told]);
      const serverMs = timeNow();
      if (refused !== undefined || serverMs === undefined) {
        const refusal = refused && storeRefusal(refused.message);
        return { news: [], cursor, isMore: false, isComplete: false, refusal };
      }
      const positions = positionsIn(cursor);
      const now = epochs.length > 0 ? epochs : epochsNow(positions);
      const sizes = epochs.length > 0 ? told : await send(sizesOf(now));
      const news: StoreNews[] = [];
      const next = new Map([...positions].filter(([epoch]) => epoch >= epochAt(serverMs) - 1));
      const flags = { isMore: false, isFlooded: false, isRemoved: false };
      for (const [at, epoch] of now.entries()) {
        const length = numberIn(sizes[at]) ?? 0;
        const head = textIn(sizes[now.length + at]) ?? "";
        const known = positions.get(epoch);
        const from = known !== undefined && head.startsWith(known.head) ? known.offset : 0;
        const wrote = written.key === keys.news(epoch) ? written.length : 0;
        if (length < Math.max(wrote, known?.offset ?? 0) || !head.startsWith(known?.head ?? "")) {
          flags.isRemoved = true;
          written = { key: "", length: 0 };
        }
        next.set(epoch, { offset: length === 0 ? 0 : from, head });
        if (length === from || length === 0) continue;
        const page = await readEpoch(epoch, length, from, serverMs);
        next.set(epoch, { offset: page.offset, head });
        news.push(...page.news);
        flags.isMore ||= page.isMore;
        flags.isFlooded ||= page.isFlooded;
      }
      return { news, cursor: next, ...flags, isComplete: !flags.isMore };
    },
  };
}
