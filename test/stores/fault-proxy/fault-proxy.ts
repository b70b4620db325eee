import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { Fault } from "./fault.ts";
import { relay } from "./relay.ts";

export interface FaultProxy {
  /** The port for clients, which stays the same during every fault. */
  readonly port: number;
  /** Connections made by clients so far. */
  readonly connections: number;
  /** Sets the fault for open and new connections. Resolves when it is in effect. */
  setFault(fault: Fault): Promise<void>;
  /** Ends all connections and stops listening. */
  stop(): Promise<void>;
}

/** A proxy between clients and a server on loopback that simulates the faults of networks. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let fault: Fault = { kind: "pass" };
  let connections = 0;
  let announceChange = () => {};
  let change = nextChange();

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      announceChange = resolve;
    });
  }

  const listener = createServer((client) => {
    connections += 1;
    const server = connect(targetPort, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    relay({ client, server, fault: () => fault, changed: () => change });
  });

  const listen = async (port: number) => {
    listener.listen(port, "127.0.0.1");
    await once(listener, "listening");
  };
  const endAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  await listen(0);
  const { port } = listener.address() as { port: number };

  return {
    port,
    get connections() {
      return connections;
    },
    async setFault(next) {
      fault = next;
      announceChange();
      change = nextChange();
      if (next.kind === "refuse" && listener.listening) {
        const closed = once(listener, "close");
        listener.close();
        endAll();
        await closed;
      }
      if (next.kind !== "refuse" && !listener.listening) await listen(port);
    },
    async stop() {
      announceChange();
      if (!listener.listening) return endAll();
      const closed = once(listener, "close");
      listener.close();
      endAll();
      await closed;
    },
  };
}
