import type { ConnectCosts } from "./connect-costs.ts";
import { toTable } from "./tables.ts";
import type { UnitCosts } from "./unit-costs.ts";

/** Unit costs from which the load of more processes is computed than one machine can hold. */
export interface SumsOf {
  readonly units: UnitCosts;
  readonly connects: ConnectCosts;
  /** Share of a core that one open, silent connection takes. */
  readonly idleShare: number;
}

const HEARTBEAT_SECONDS = 5;
const CENSUS_SECONDS = 75;
const LOOPING_SHARE = 0.01;
const CALLS_PER_SECOND = 0.5;
const RESTART_SECONDS = 600;
const MINUTE = 60;
/** Levels of calls and witnesses that a page passes until it has at least 100 of each. */
const TIMES_TOLD = 11;
const PAGES_OF_A_JOINER = 4;

/** Shares of a core that this many processes take, for each part of what they do. */
export function sumsOf({ units, connects, idleShare }: SumsOf, processes: number) {
  const share = (perSecond: number, us: number): number => (perSecond * us) / 1e6;
  const beats = processes / HEARTBEAT_SECONDS;
  const restarts = processes / RESTART_SECONDS;
  const joinerUs = PAGES_OF_A_JOINER * units.pageOfNews.serverUs + units.heartbeat.serverUs;
  const connectUs = Math.max(connects.plain.ioredis.serverUs, connects.plain["node-redis"].serverUs);
  const tlsUs = (key: "rsa:2048" | "ec"): number => connects.tls[key].ioredis.serverUs;
  const parts = {
    connections: processes * idleShare,
    heartbeats: share(beats, units.heartbeat.serverUs),
    census: share(processes / CENSUS_SECONDS, units.census.serverUs),
  };
  return {
    ...parts,
    healthy: parts.connections + parts.heartbeats + parts.census,
    looping: share(processes * LOOPING_SHARE * CALLS_PER_SECOND, units.suspicion.serverUs),
    deadEnd: share((processes * TIMES_TOLD) / MINUTE, units.oneOfNews.serverUs),
    restart: share(restarts, connectUs + joinerUs),
    tls: share(beats, connects.tlsHeartbeat.serverUs - units.heartbeat.serverUs),
    tlsRestart: {
      "rsa:2048": share(restarts, tlsUs("rsa:2048") + joinerUs),
      ec: share(restarts, tlsUs("ec") + joinerUs),
    },
    /** Seconds of a core if all connect at once. */
    reconnectSeconds: (processes * connectUs) / 1e6,
    tlsReconnectSeconds: { "rsa:2048": (processes * tlsUs("rsa:2048")) / 1e6, ec: (processes * tlsUs("ec")) / 1e6 },
  };
}

export function sumsTable(of: SumsOf): string {
  const columns = [10_000, 100_000].map((processes) => sumsOf(of, processes));
  const row = (what: string, value: (sums: (typeof columns)[number]) => string): string[] => [
    what,
    ...columns.map(value),
  ];
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  return toTable(
    ["share of one core", "10,000 processes", "100,000 processes"],
    [
      row("open connections", ({ connections }) => percent(connections)),
      row("heartbeats", ({ heartbeats }) => percent(heartbeats)),
      row("census", ({ census }) => percent(census)),
      row("**healthy, together**", ({ healthy }) => `**${percent(healthy)}**`),
      row("1 % of them loop, each on its own page", ({ looping }) => `+ ${percent(looping)}`),
      row("a new dead end every minute, told to all", ({ deadEnd }) => `+ ${percent(deadEnd)}`),
      row("all restart within 10 minutes, the news full", ({ restart }) => `+ ${percent(restart)}`),
      row("TLS", ({ tls }) => `+ ${percent(tls)}`),
      row("the same restart with TLS, RSA certificate", ({ tlsRestart }) => `+ ${percent(tlsRestart["rsa:2048"])}`),
      row("the same restart with TLS, P-256 certificate", ({ tlsRestart }) => `+ ${percent(tlsRestart.ec)}`),
      row("all connect at once, time of a core", (sums) => seconds(sums.reconnectSeconds)),
      row("the same with TLS, RSA", (sums) => seconds(sums.tlsReconnectSeconds["rsa:2048"])),
      row("the same with TLS, P-256", (sums) => seconds(sums.tlsReconnectSeconds.ec)),
    ],
  );
}
