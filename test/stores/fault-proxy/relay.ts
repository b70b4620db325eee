import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { createCommandCounter } from "./command-counter.ts";
import type { Fault } from "./fault.ts";

/** More than this waiting in one direction ends the connection. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface RelayOptions {
  readonly client: Socket;
  readonly server: Socket;
  /** The fault of now: asked for each piece that comes. */
  readonly fault: () => Fault;
  /** Resolves when the fault of now is another one. */
  readonly changed: () => Promise<void>;
}

/** Carries one connection's bytes both ways through the faults of the moment. */
export function relay({ client, server, fault, changed }: RelayOptions): void {
  const countCommands = createCommandCounter();
  let repliedBytes = 0;
  // A direction that lost bytes delivers nothing more: what follows would make no sense to the other side.
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
      // The fault set in within a command: no answer to its second half makes sense.
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

/** Delivers pieces in the order they came, each as the fault at its coming demands. */
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
      // A delay begins when bytes come, not when those before them have left.
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
