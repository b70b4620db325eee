import { once } from "node:events";
import { createRedisFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { fingerprintOf } from "./campaign.ts";
import { type Addresses, type ClientName, connect } from "./connect.ts";

/** Creates a client and a fleet, waits for a signal, closes both, and should then end. */
export interface EndingOrder {
  readonly clientName: ClientName;
  readonly addresses: Omit<Addresses, "proxyPorts">;
  /** Without a fleet, the process shows how long the client alone takes. */
  readonly hasFleet: boolean;
  /** Whether it waits until it is connected. */
  readonly isPatient: boolean;
}

const order = JSON.parse(process.argv[2]!) as EndingOrder;
const proxyPorts = new Map(order.addresses.servers.map(({ port }) => [port, port]));
const { client, connected, close } = connect({ ...order.addresses, proxyPorts }, order.clientName);
connected.catch(() => {});
if (order.isPatient) await connected;
const fleet = order.hasFleet ? createRedisFleet({ client, key: "a secret of the campaign" }) : undefined;
const member = fleet?.join({ worker: "worker" });
const report = (id: string) => member?.report({ id, fingerprint: fingerprintOf(1), tool: "fetch", isBarren: true });
report("1");
if (order.isPatient) await fleet?.flush();
process.stdout.write(`${JSON.stringify("ready")}\n`);
await once(process.stdin, "data");
process.stdin.destroy();
report("2");
await fleet?.close();
close();
