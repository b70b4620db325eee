import type { Engine } from "../../../test/stores/servers/engine.ts";
import { startLoad } from "../load/start-load.ts";
import { type CertificateKey, startTlsServer } from "../tls-server.ts";
import { type Recovery, recoverFrom } from "./real-recovery.ts";
import { slowDown } from "./slow-server.ts";

const CONNECTIONS = 1_000;
/** On a server that is slower by this much, they are as much work as ten times as many. */
const SLOWNESS = 10;
const TCP_BACKLOG = 511;
const JOIN_MS = 5_000;

/**
 * All connections of a server with TLS are lost, and each is made anew. Ten thousand at once would keep the machine of the bench busy with the
 * clients' half of the work, so a tenth of them meet a server that has a tenth of a core.
 */
export async function recoverWithTls(engine: Engine, key: CertificateKey): Promise<Recovery> {
  const settings = [`maxclients ${2 * CONNECTIONS}`, `tcp-backlog ${Math.ceil(TCP_BACKLOG / SLOWNESS)}`];
  const server = await startTlsServer(engine, key, settings);
  const load = await startLoad({ port: server.tlsPort, isTls: true }, CONNECTIONS);
  let slow = { end: async (): Promise<unknown> => undefined };
  try {
    await load.join(JOIN_MS);
    const restart = {
      title: `TLS with ${key === "ec" ? "a P-256" : "an RSA"} certificate: kill -9, restarted after 1 s`,
      begin: () => server.kill(),
      lastsMs: 1000,
      async end() {
        await server.restart();
        slow = slowDown(server.pid, SLOWNESS);
      },
    };
    return await recoverFrom(restart, server, load);
  } finally {
    load.end();
    await slow.end();
    await server.stop();
  }
}
