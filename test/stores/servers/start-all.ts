import type { Server } from "./server.ts";

/** Starts several servers at once; if one does not start, none is left running. */
export async function startAll(starts: readonly Promise<Server>[]): Promise<Server[]> {
  const results = await Promise.allSettled(starts);
  const servers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (failed === undefined) return servers;
  await stopAll(servers);
  throw failed.reason;
}

export async function stopAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
