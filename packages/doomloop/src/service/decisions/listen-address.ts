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

/** Resolves when the server listens, and rejects if it cannot. */
export function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
