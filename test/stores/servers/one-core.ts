import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** How long the core is busy with each kind of work, in milliseconds. */
export interface ServiceTimes {
  /** A new connection, including the commands that a client sends before it is ready. */
  readonly connect: number;
  /** Commands by name. */
  readonly commands: Readonly<Record<string, number>>;
  /** Any other command. */
  readonly other: number;
}

/** A store with an adjustable speed. */
export interface OneCore {
  readonly port: number;
  /** Does nothing for this long. Commands that arrive meanwhile wait. */
  stall(forMs: number): void;
  /** How long the waiting work will take. */
  backlogMs(): number;
  /** The work done so far. `wasted`: work for clients that had gone by then. */
  served(): { readonly connects: number; readonly commands: number; readonly wasted: number };
  close(): Promise<void>;
}

/** Commands that a client sends to get ready. Their time is part of the connection's. */
const HANDSHAKE = new Set(["HELLO", "INFO", "CLIENT", "AUTH", "SELECT"]);

/**
 * Puts one slow core in front of a real server. It serves commands one after another, each for its service time, and then passes them
 * on to the server. With longer service times, a few clients load it as many would load a real server.
 *
 * Like a real server, it refuses nobody during a stall, and works through commands even if their client has gone.
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

/** Does work in the order of its arrival, one item at a time. */
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
  /** The beginning of an incomplete command. */
  readonly rest: Buffer;
}

/** The complete commands at the beginning of a client's bytes: lists of words, each preceded by its length. */
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

/** The number in a header, and where it ends; NaN and infinity if the header is incomplete. */
function headerAt(bytes: Buffer, at: number): [number: number, end: number] {
  const end = at < bytes.length ? bytes.indexOf("\r\n", at) : -1;
  return end < 0 ? [0, Infinity] : [Number(bytes.toString("latin1", at + 1, end)), end + 2];
}
