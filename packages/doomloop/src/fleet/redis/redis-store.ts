import {
  type Announcement,
  cappedCounts,
  type FleetStore,
  type OpenFleetStore,
  type PermitAnswer,
  type PermitQuestion,
  type StoreAnswer,
  type StoreCounts,
  type StoreQuestion,
  type StoreReport,
  type StoreSpace,
  storeRefusal,
  type Thresholds,
} from "../store.ts";
import { type FleetKeys, fleetKeys } from "./fleet-keys.ts";
import { MAX_READ, newsLine } from "./news-log.ts";
import { createNewsReader } from "./news-reader.ts";
import { commandsOf, type RedisClient } from "./redis-client.ts";
import { type Command, errorIn, foreignKeys, numberIn, type RedisCommands, textIn } from "./redis-commands.ts";

const MAX_SETTINGS = 256;
/** What a server says to a text that has become longer than it allows (`proto-max-bulk-len`). */
const TOO_LONG = /exceeds maximum allowed size/;
/** What a server before Redis 7 says to an option of PEXPIRE. */
const TOO_OLD = /^ERR (?:wrong number of arguments|syntax error)/;

/**
 * Keeps a fleet's counts in Redis 7 or later, or in Valkey. Throws a `DoomloopError` for an unknown client, or for one that changes the
 * names of keys.
 */
export function redisStore(client: RedisClient): OpenFleetStore {
  const commands = commandsOf(client);
  return (space) => openRedisStore(commands, space);
}

function openRedisStore(commands: RedisCommands, { tenant, windowMs }: StoreSpace): FleetStore {
  const keys = fleetKeys(tenant);
  const lifetime = String(windowMs);
  /** Sets the end of a key, and never puts it off: a write that is refused prolongs nothing. */
  const ends = (key: string, ms = lifetime): Command => ["PEXPIRE", key, ms, "LT"];
  const send = (group: readonly Command[]) => exchange(commands, group);
  const reader = createNewsReader(send, keys, windowMs);
  let isNewEnough = false;
  /** Why the settings could not be written. */
  let unwritten: Error | undefined;

  /** Earlier servers cannot limit the life of a key as we need it. Nothing is written there. */
  const requireVersion = async (): Promise<void> => {
    if (isNewEnough) return;
    // The other command is always answered, which tells a refusal from a store that is away.
    const [reply] = await send([ends(keys.runs), ["STRLEN", keys.settings]]);
    const reason = reply instanceof Error ? reply.message : undefined;
    if (reason !== undefined)
      throw storeRefusal(TOO_OLD.test(reason) ? "Redis 7 or later, or Valkey, is required" : reason);
    isNewEnough = true;
  };

  /**
   * Appends to the news. If somebody has filled them up to the length that the server allows, they are begun anew: otherwise nobody could
   * announce anything until the window ends. Their length is read again first, because another process may have done so already.
   */
  const append = async (key: string, lines: string): Promise<void> => {
    const commands: Command[] = [["APPEND", key, lines], ends(key, String(2 * windowMs))];
    const replies = await send(commands);
    const [appended] = replies;
    if (!(appended instanceof Error) || !TOO_LONG.test(appended.message)) {
      reader.noteWritten(key, required(replies)[0]);
      return;
    }
    const length = numberIn((await send([["STRLEN", key]]))[0]) ?? 0;
    if (length > MAX_READ) required(await send([["PEXPIRE", key, "0"]]));
    required(await send(commands));
  };

  return {
    async count(report): Promise<StoreCounts> {
      await requireVersion();
      return countsIn(required(await send(countCommands(keys, report, ends))));
    },
    async forget(name): Promise<Thresholds> {
      const { calls, witnesses } = keys.of(name);
      const replies = required(
        await send([
          ["PFCOUNT", calls],
          ["PFCOUNT", witnesses],
          ["UNLINK", calls, witnesses],
        ]),
      );
      return cappedCounts(replies.slice(0, 2).map((reply) => numberIn(reply) ?? 0));
    },
    async announce(announcements) {
      if (announcements.length === 0) return [];
      await requireVersion();
      const atMs = await reader.serverTime();
      const key = reader.keyAt(atMs);
      const lines = announcements.map((each) => newsLine(each, atMs)).join("");
      await append(key, lines);
      return Promise.all(announcements.map((each) => isFirst(each)));
    },
    async beat({ cursor, agreement }: StoreQuestion): Promise<StoreAnswer> {
      const asked = reader.question(cursor);
      const [values, said, ...rest] = await send([
        ["MGET", keys.switch],
        ["GETRANGE", keys.settings, "0", String(MAX_SETTINGS - 1)],
        ...asked.commands,
      ]);
      const switched = textIn(Array.isArray(values) ? values[0] : undefined);
      const agreed = textIn(said) || undefined;
      const isOff = switched === "off";
      const { refusal, ...read } = isOff ? { ...NOTHING_READ, cursor } : await reader.read(asked, rest, cursor);
      // A right that was missing is missing until a write shows that it is not.
      if (!isOff && agreed === undefined && agreement !== undefined) unwritten = await agree(agreement);
      return { switch: switched, agreed, ...read, refusal: refusalIn([values, said]) ?? refusal ?? unwritten };
    },
    async permit({ runs, places }: PermitQuestion): Promise<PermitAnswer> {
      await requireVersion();
      const queue = Array.from({ length: places }, (): Command => ["INCR", keys.stops]);
      const replies = required(
        await send([
          ...queue,
          ends(keys.stops),
          ["PFADD", keys.runs, ...runs],
          ends(keys.runs),
          ["PFCOUNT", keys.runs],
        ]),
      );
      return {
        places: replies.slice(0, places).map((reply) => numberIn(reply) ?? Infinity),
        runs: numberIn(replies.at(-1)) ?? 0,
      };
    },
  };

  async function isFirst({ name, isConfirmed }: Announcement): Promise<boolean> {
    if (!isConfirmed) return false;
    const { told } = keys.of(name);
    const [isAdded] = required(await send([["PFADD", told, "1"], ends(told)]));
    return numberIn(isAdded) === 1;
  }

  async function agree(agreement: string): Promise<Error | undefined> {
    await requireVersion();
    // The other command is always answered, which tells a rejected SETNX from a store that is away.
    return refusalIn(
      await send([
        ["SETNX", keys.settings, agreement],
        ["MGET", keys.switch],
      ]),
    );
  }
}

const NOTHING_READ = { news: [], isMore: false, isComplete: false, refusal: undefined } as const;

function countCommands(
  keys: FleetKeys,
  { name, calls, witness }: StoreReport,
  ends: (key: string) => Command,
): Command[] {
  const of = keys.of(name);
  const count: Command[] = [
    ["PFCOUNT", of.calls],
    ["PFCOUNT", of.witnesses],
  ];
  return [
    ...count,
    ["PFADD", of.calls, ...calls],
    ends(of.calls),
    ["PFADD", of.witnesses, witness],
    ends(of.witnesses),
    ...count,
    ["PTTL", of.calls],
  ];
}

function countsIn(replies: readonly unknown[]): StoreCounts {
  const numbers = replies.map((reply) => numberIn(reply) ?? 0);
  // After a connection has lost bytes, replies may belong to other commands. Those between the counts must be 0 or 1.
  const isInStep = numbers.length === 9 && numbers.slice(2, 6).every((flag) => flag < 2);
  const [calls = 0, workers = 0, lastsMs = 0] = isInStep ? numbers.slice(6) : [];
  return { before: cappedCounts(numbers), after: cappedCounts([calls, workers]), lastsMs };
}

/** Sends commands together, one reply for each. Rejects if the store does not answer, or refuses all of them. */
async function exchange(commands: RedisCommands, group: readonly Command[]): Promise<readonly unknown[]> {
  const replies = await sendAll(commands, group);
  // Delete what somebody else wrote into our keys.
  const foreign = foreignKeys(group, replies);
  if (foreign.length > 0) void sendAll(commands, [["UNLINK", ...foreign]]).catch(() => {});
  // All of it refused: rights are missing, or the server is loading its data or busy with a script.
  const isAnswered = replies.some((reply) => !(reply instanceof Error));
  if (!isAnswered) throw errorIn(replies) ?? new Error("no reply");
  return replies;
}

async function sendAll(commands: RedisCommands, group: readonly Command[]): Promise<readonly unknown[]> {
  const replies = await commands.send(group);
  if (replies.length !== group.length) throw new Error("replies are missing");
  return replies;
}

/** The replies, if the store refused none of the commands. */
function required(replies: readonly unknown[]): readonly unknown[] {
  const refusal = refusalIn(replies);
  if (refusal !== undefined) throw refusal;
  return replies;
}

function refusalIn(replies: readonly unknown[]): Error | undefined {
  const error = errorIn(replies);
  return error && storeRefusal(error.message);
}
