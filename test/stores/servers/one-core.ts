import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** How long the one core is busy with a thing, in milliseconds. */
export interface ServiceTimes {
  /** A new connection, with all that a client asks before it is ready. */
  readonly connect: number;
  /** Commands by their names. */
  readonly commands: Readonly<Record<string, number>>;
  /** Any other command. */
  readonly other: number;
}

/** A store that is as slow as one wants it to be. */
export interface OneCore {
  readonly port: number;
  /** It does nothing for so long. What arrives meanwhile waits. */
  stall(forMs: number): void;
  /** How long it will be busy with what waits. */
  backlogMs(): number;
  /** What it has done so far. `wasted`: for clients that were gone by then. */
  served(): { readonly connects: number; readonly commands: number; readonly wasted: number };
  close(): Promise<void>;
}

/** Commands by which a client makes itself ready: paid for with the connection. */
const HANDSHAKE = new Set(["HELLO", "INFO", "CLIENT", "AUTH", "SELECT"]);

/**
 * Puts one slow core in front of a real server: what clients send is served one after another, each for as long as it takes, and then
 * handed to the server. With times that are multiplied, a few clients load it as many would load a real one.
 *
 * As with a real server, a stall does not refuse anybody, and what a client has sent is worked off even if that client is gone.
 */
export async function startOneCore(serverPort: number, times: ServiceTimes): Promise<OneCore> {
  const core = createCore();
  const open = new Set<Socket>();
  const served = { connects: 0, commands: 0, wasted: 0 };

  const serve = (costMs: number, client: Socket, done: () => void): void =>
    core.serve(costMs, () => {
      if (client.destroyed) served.wasted++;
      else done();
    });

  const relay = (client: Socket): void => {
    const server = connect(serverPort, "127.0.0.1");
    let rest: Buffer = Buffer.alloc(0);
    open.add(client);
    for (const socket of [client, server]) socket.setNoDelay().on("error", () => {});
    client.on("close", () => {
      open.delete(client);
      server.destroy();
    });
    server.on("close", () => client.destroy());
    server.on("data", (bytes) => client.write(bytes));
    served.connects++;
    serve(times.connect, client, () => {});
    client.on("data", (bytes) => {
      const read = commandsIn(Buffer.concat([rest, bytes]));
      rest = read.rest;
      for (const command of read.commands) {
        const isPaid = HANDSHAKE.has(command.name);
        if (!isPaid) served.commands++;
        serve(isPaid ? 0 : (times.commands[command.name] ?? times.other), client, () => server.write(command.bytes));
      }
    });
  };

  const listener = createServer(relay).listen(0, "127.0.0.1", 4096);
  await once(listener, "listening");
  return {
    port: (listener.address() as { port: number }).port,
    stall: core.stall,
    backlogMs: core.backlogMs,
    served: () => ({ ...served }),
    async close() {
      core.end();
      for (const client of open) client.destroy();
      await new Promise((closed) => listener.close(closed));
    },
  };
}

/** Work that is done in the order of its arrival, one thing at a time. */
function createCore() {
  const queue: { readonly arrivedAt: number; readonly costMs: number; readonly done: () => void }[] = [];
  let freeAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const work = (): void => {
    timer = undefined;
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const endsAt = Math.max(freeAt, first.arrivedAt) + first.costMs;
      const leftMs = endsAt - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(work, leftMs);
        return;
      }
      freeAt = endsAt;
      queue.shift();
      first.done();
    }
  };

  return {
    serve(costMs: number, done: () => void): void {
      queue.push({ arrivedAt: performance.now(), costMs, done });
      if (timer === undefined) work();
    },
    stall(forMs: number): void {
      freeAt = Math.max(freeAt, performance.now()) + forMs;
    },
    backlogMs: () => Math.max(0, freeAt - performance.now()) + queue.reduce((sum, { costMs }) => sum + costMs, 0),
    end: () => clearTimeout(timer),
  };
}

interface ReadCommands {
  readonly commands: readonly { readonly name: string; readonly bytes: Buffer }[];
  /** The beginning of a command that goes on. */
  readonly rest: Buffer;
}

/** The whole commands at the beginning of what a client has sent: lists of words, each with its length in front. */
function commandsIn(bytes: Buffer): ReadCommands {
  const commands: { name: string; bytes: Buffer }[] = [];
  let start = 0;
  for (let at = 0; ; start = at) {
    const [words, first] = headerAt(bytes, start);
    at = first;
    let name = "";
    for (let word = 0; word < words; word++) {
      const [length, begin] = headerAt(bytes, at);
      if (word === 0) name = bytes.toString("latin1", begin, begin + length).toUpperCase();
      at = begin + length + 2;
    }
    if (!(at <= bytes.length)) return { commands, rest: bytes.subarray(start) };
    commands.push({ name, bytes: bytes.subarray(start, at) });
  }
}

/** The number of a header, and where it ends; not a number and infinity if it is not all there. */
function headerAt(bytes: Buffer, at: number): [number: number, end: number] {
  const end = at < bytes.length ? bytes.indexOf("\r\n", at) : -1;
  return end < 0 ? [0, Infinity] : [Number(bytes.toString("latin1", at + 1, end)), end + 2];
}
