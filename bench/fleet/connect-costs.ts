import type { Engine, Server } from "../../test/stores/servers/server.ts";
import { type Address, type ClientName, openClients } from "./bench-fleet.ts";
import { connectionBytes } from "./memory.ts";
import { type UnitCost, unitCost } from "./server-costs.ts";
import { type CertificateKey, startTlsServer } from "./tls-server.ts";
import { heartbeatCost } from "./unit-costs.ts";

/** What connecting and closing a process costs the server, and what TLS adds to it. */
export interface ConnectCosts {
  readonly plain: Readonly<Record<ClientName, UnitCost>>;
  /** For each kind of certificate. */
  readonly tls: Readonly<Record<CertificateKey, Readonly<Record<ClientName, UnitCost>>>>;
  readonly tlsHeartbeat: UnitCost;
  /** Memory of the server for each connection. */
  readonly connectionBytes: { readonly plain: number; readonly tls: number };
}

const CONNECTS = 200;
const ROUNDS = 7;

export async function connectCosts(engine: Engine, server: Server): Promise<ConnectCosts> {
  // Measured first, while the server has no free memory left over from other connections.
  const plainBytes = await connectionBytes(server, server);
  const plain = await bothClients(server, server);
  const ofRsa = await withTls(engine, "rsa:2048", async (tls) => ({
    bytes: await connectionBytes(tls, { port: tls.tlsPort, isTls: true }),
    connects: await bothClients(tls, { port: tls.tlsPort, isTls: true }),
    heartbeat: await heartbeatCost(tls, { port: tls.tlsPort, isTls: true }),
  }));
  const ofCurve = await withTls(engine, "ec", (tls) => bothClients(tls, { port: tls.tlsPort, isTls: true }));
  return {
    ...{ plain, tls: { "rsa:2048": ofRsa.connects, ec: ofCurve }, tlsHeartbeat: ofRsa.heartbeat },
    connectionBytes: { plain: plainBytes, tls: ofRsa.bytes },
  };
}

async function bothClients(server: Server, address: Address): Promise<Record<ClientName, UnitCost>> {
  return {
    ioredis: await connectCost(server, "ioredis", address),
    "node-redis": await connectCost(server, "node-redis", address),
  };
}

function connectCost(server: Server, name: ClientName, address: Address): Promise<UnitCost> {
  return unitCost(server, CONNECTS, ROUNDS, async () => {
    for (const { close } of await openClients(name, address, CONNECTS)) close();
  });
}

async function withTls<Result>(
  engine: Engine,
  key: CertificateKey,
  work: (server: Awaited<ReturnType<typeof startTlsServer>>) => Promise<Result>,
): Promise<Result> {
  const server = await startTlsServer(engine, key);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
