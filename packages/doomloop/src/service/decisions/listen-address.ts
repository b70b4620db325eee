import type { Server } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { UsageError } from "../../system/usage-error.ts";

/** Where a service listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Nobody but this machine can reach it. */
  readonly isLoopback: boolean;
}

/** Reads `HOST:PORT`, where the host is an address of this machine or `localhost`. An IPv6 address stands in brackets. */
export function readListenAddress(text: string): ListenAddress {
  const [, named = "", digits = ""] = /^(\[[0-9a-fA-F:.]{2,45}\]|[\w.-]{1,253}):(\d{1,5})$/.exec(text) ?? [];
  const host = named === "localhost" ? "127.0.0.1" : named.replaceAll(/[[\]]/g, "");
  const port = Number(digits);
  if ((!isIPv4(host) && !isIPv6(host)) || digits === "" || port > 65_535)
    throw new UsageError("--listen: an address and a port are required, such as 127.0.0.1:4177");
  return { host, port, isLoopback: host.startsWith("127.") || host === "::1" };
}

/** A request that is under way gets so long at the end. */
const GRACE_MS = 5_000;

/** Resolves when the server listens at a port of this host, or at the path of a socket, and rejects if it cannot. */
export function listening(server: Server, where: { host: string; port: number } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Accepts nothing new, and resolves when what is under way is done. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  });
}
