import { once } from "node:events";
import { createServer } from "node:net";

/** Loopback ports that nobody listens on, all different. They are free a moment ago, not reserved. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(listeners.map((listener) => once(listener, "listening")));
  const ports = listeners.map((listener) => (listener.address() as { port: number }).port);
  await Promise.all(
    listeners.map((listener) => {
      const closed = once(listener, "close");
      listener.close();
      return closed;
    }),
  );
  return ports;
}
