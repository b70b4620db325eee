import { type Engine, freePorts, type Server, startAll, startServer, stopAll } from "./server.ts";
import { until } from "./until.ts";

export interface SentinelTrio {
  readonly engine: Engine;
  /** The sentinels' name of the primary. */
  readonly name: string;
  readonly sentinels: readonly Server[];
  /** The two servers with data, either of which may be the primary. */
  readonly servers: readonly Server[];
  /** The primary as the sentinels know it. */
  primary(): Promise<Server>;
  /** Asks the sentinels to make the replica the primary, and waits until they have. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const NAME = "fleet";

/**
 * A primary with a replica, watched by three sentinels, on loopback.
 *
 * `announce` opens another port through which the other server and the sentinels reach a server, so that a test can cut the server
 * off from them. The sentinels replace a primary that is silent for `downAfterMs`.
 */
export async function startSentinelTrio(
  engine: Engine,
  settings: readonly string[] = [],
  announce: (port: number) => Promise<number> = async (port) => port,
  downAfterMs = 500,
): Promise<SentinelTrio> {
  const ports = await freePorts(2);
  const announced: number[] = [];
  for (const port of ports) announced.push(await announce(port));
  const settingsOf = (at: number) => [`replica-announce-port ${announced[at]}`, ...settings];
  const first = await startServer(engine, { port: ports[0]!, settings: settingsOf(0) });
  const started: Server[] = [first];
  const stop = () => stopAll(started);

  try {
    const following = [`replicaof 127.0.0.1 ${announced[0]}`, ...settingsOf(1)];
    const replica = await startServer(engine, { port: ports[1]!, settings: following });
    started.push(replica);
    const watch = [
      `sentinel monitor ${NAME} 127.0.0.1 ${announced[0]} 2`,
      `sentinel down-after-milliseconds ${NAME} ${downAfterMs}`,
      `sentinel failover-timeout ${NAME} 2000`,
    ];
    const linked = async () => /master_link_status:up/.test(await replica.ask("INFO", "replication"));
    await until("the replica is up to date", linked);
    const sentinels = await startAll([0, 1, 2].map(() => startServer(engine, { isSentinel: true, settings: watch })));
    started.push(...sentinels);
    await until("the sentinels know one another and the replica", async () => {
      const known = await Promise.all(sentinels.map((sentinel) => sentinel.ask("INFO", "sentinel")));
      return known.every((text) => /status=ok,address=[\d.:]+,slaves=1,sentinels=3/.test(text));
    });
    const servers = [first, replica];
    const primary = async () => {
      const [, port] = (await sentinels[0]!.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)).split("\n");
      return servers[announced.indexOf(Number(port))]!;
    };
    return {
      engine,
      name: NAME,
      sentinels,
      servers,
      primary,
      async failOver() {
        const before = await primary();
        await until("the sentinels start a failover", async () => {
          return (await sentinels[0]!.ask("SENTINEL", "FAILOVER", NAME)) === "OK";
        });
        await until("the replica is the primary", async () => (await primary()) !== before);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
