import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Fault } from "./fault.ts";

const CARRIAGE_RETURN = 13;

/** If more than this waits in one direction, the connection ends. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface RelayOptions {
  readonly client: Socket;
  readonly server: Socket;
  /** The current fault, read for each piece that arrives. */
  readonly fault: () => Fault;
  /** Resolves when the current fault changes. */
  readonly changed: () => Promise<void>;
}

/** Passes the bytes of one connection in both directions, subject to the current fault. */
export function relay({ client, server, fault, changed }: RelayOptions): void {
  const countCommands = createCommandCounter();
  let repliedBytes = 0;
  // A direction that has lost bytes delivers nothing more, because the rest would make no sense to the other side.
  const dead = { requests: false, replies: false };

  const end = () => {
    client.destroy();
    server.destroy();
  };
  const reset = () => {
    client.resetAndDestroy();
    server.destroy();
  };

  const requests = queueInto(server, end);
  const replies = queueInto(client, end);

  const answerWith = (message: string, bytes: Buffer) => {
    try {
      replies.add(Buffer.from(`-${message}\r\n`.repeat(countCommands(bytes))), { kind: "pass" }, changed);
    } catch {
      // The fault began in the middle of a command, so no answer to its second half makes sense.
      reset();
    }
  };

  client.on("data", (bytes) => {
    const now = fault();
    if (now.kind === "reset" || now.kind === "refuse") return reset();
    dead.requests ||= isSwallowed("requests", now);
    if (dead.requests) return;
    if (now.kind === "error-replies") return answerWith(now.message, bytes);
    requests.add(bytes, now.kind === "late-replies" ? { kind: "pass" } : now, changed);
  });

  server.on("data", (bytes) => {
    const now = fault();
    if (now.kind === "reset" || now.kind === "refuse") return reset();
    dead.replies ||= isSwallowed("replies", now);
    if (dead.replies) return;
    if (now.kind === "close-mid-reply") {
      const room = Math.max(0, now.afterBytes - repliedBytes);
      repliedBytes += bytes.length;
      if (bytes.length < room) return replies.add(bytes, now, changed);
      client.end(bytes.subarray(0, room));
      return server.destroy();
    }
    if (now.kind === "drop-bytes") {
      const kept = bytes.filter((_, at) => (repliedBytes + at + 1) % now.every !== 0);
      repliedBytes += bytes.length;
      return replies.add(Buffer.from(kept), now, changed);
    }
    replies.add(bytes, now, changed);
  });

  for (const socket of [client, server]) {
    socket.setNoDelay(true);
    socket.on("error", end);
    socket.on("close", end);
  }
}

function isSwallowed(direction: "requests" | "replies", fault: Fault): boolean {
  return fault.kind === "blackhole" || (fault.kind === "half-open" && fault.swallowed === direction);
}

/** Delivers pieces in order, each according to the fault at its arrival. */
function queueInto(socket: Socket, overflow: () => void) {
  let last: Promise<void> = Promise.resolve();
  let waitingBytes = 0;
  return {
    add(bytes: Buffer, fault: Fault, changed: () => Promise<void>): void {
      waitingBytes += bytes.length;
      if (waitingBytes > MAX_WAITING_BYTES) {
        overflow();
        return;
      }
      // A delay begins when bytes arrive, not when earlier bytes have left.
      const ready = readiness(fault, changed);
      const before = last;
      last = (async () => {
        await Promise.all([before, ready]);
        await deliver(socket, bytes, fault);
        waitingBytes -= bytes.length;
      })();
    },
  };
}

function readiness(fault: Fault, changed: () => Promise<void>): Promise<unknown> | undefined {
  if (fault.kind === "delay")
    return wait(fault.delayMs + Math.random() * (fault.jitterMs ?? 0), undefined, { ref: false });
  if (fault.kind === "late-replies") return changed();
  return undefined;
}

async function deliver(socket: Socket, bytes: Buffer, fault: Fault): Promise<void> {
  if (fault.kind === "slice") {
    for (let at = 0; at < bytes.length && !socket.destroyed; at += fault.bytes) {
      socket.write(bytes.subarray(at, at + fault.bytes));
      await nextTurn();
    }
    return;
  }
  if (fault.kind === "throttle") {
    const size = Math.max(1, Math.floor(fault.bytesPerSecond / 100));
    for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
      await wait(10, undefined, { ref: false });
      if (!socket.destroyed) socket.write(bytes.subarray(at, at + size));
    }
    return;
  }
  if (!socket.destroyed) socket.write(bytes);
}

/**
 * Counts the complete commands in a client's stream of bytes: lists of strings, each preceded by its length.
 *
 * Keeps the rest of an incomplete command. Throws for bytes that no client sends.
 */
export function createCommandCounter(): (bytes: Buffer) => number {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let commands = 0;
    for (let end = endOfCommand(rest); end !== undefined; end = endOfCommand(rest)) {
      rest = rest.subarray(end);
      commands += 1;
    }
    return commands;
  };
}

/** Where the first command ends; undefined if it is incomplete. */
function endOfCommand(bytes: Buffer): number | undefined {
  let header = readHeader(bytes, 0, "*");
  if (header === undefined) return undefined;
  const words = header.value;
  let at = header.end;
  for (let word = 0; word < words; word++) {
    header = readHeader(bytes, at, "$");
    if (header === undefined) return undefined;
    at = header.end + header.value + 2;
    if (at > bytes.length) return undefined;
  }
  return at;
}

function readHeader(bytes: Buffer, at: number, mark: string): { value: number; end: number } | undefined {
  if (at >= bytes.length) return undefined;
  const found = String.fromCharCode(bytes[at]!);
  if (found !== mark) throw new Error(`a command has ${mark} here, got ${JSON.stringify(found)}`);
  const end = bytes.indexOf(CARRIAGE_RETURN, at);
  if (end < 0 || end + 2 > bytes.length) return undefined;
  return { value: Number(bytes.toString("latin1", at + 1, end)), end: end + 2 };
}
