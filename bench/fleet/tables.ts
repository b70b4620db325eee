import { availableParallelism, cpus } from "node:os";
import type { ConnectCosts } from "./connect-costs.ts";
import type { Memory } from "./memory.ts";
import type { ProcessCosts } from "./process-costs.ts";
import type { ModelledRecovery } from "./recovery/modelled-recovery.ts";
import type { Recovery } from "./recovery/real-recovery.ts";
import type { UnitCost } from "./server-costs.ts";
import type { UnitCosts } from "./unit-costs.ts";
import type { Whole } from "./whole-fleet.ts";

/** By how much a check may miss a goal, because machines are noisy: 25 %. */
export const TOLERANCE = 0.25;

export function unitTable(units: UnitCosts, { plain, tls, tlsHeartbeat }: ConnectCosts): string {
  const row = (what: string, { serverUs, bytesIn, bytesOut }: UnitCost): string[] => [
    ...[what, `${rounded(serverUs)} µs`, rounded(bytesIn), rounded(bytesOut)],
  ];
  return toTable(
    ["what", "time of the server", "bytes to it", "bytes back"],
    [
      row("a healthy heartbeat", units.heartbeat),
      row("the same with TLS", tlsHeartbeat),
      row("the census, besides", units.census),
      row("a suspicion, alone", units.suspicion),
      row("a suspicion, one of 16 together", units.suspicionOf16),
      row("a suspicion of what everybody has run into", units.knownSuspicion),
      row("an announcement", units.announcement),
      row("hearing of one", units.oneOfNews),
      row("a page of the news", units.pageOfNews),
      row("connect and close, ioredis", plain.ioredis),
      row("connect and close, node-redis", plain["node-redis"]),
      row("the same with TLS, RSA certificate, ioredis", tls["rsa:2048"].ioredis),
      row("the same with TLS, RSA certificate, node-redis", tls["rsa:2048"]["node-redis"]),
      row("the same with TLS, P-256 certificate, ioredis", tls.ec.ioredis),
      row("the same with TLS, P-256 certificate, node-redis", tls.ec["node-redis"]),
    ],
  );
}

export function memoryTable({ suspects, news }: Memory, connects: ConnectCosts): string {
  const rows = suspects.map(({ calls, witnesses, bytes }) => [
    `a suspect fingerprint, ${calls} calls by ${witnesses} processes`,
    rounded(bytes),
  ]);
  const { plain, tls } = connects.connectionBytes;
  return toTable(
    ["memory of the server", "bytes"],
    [
      ...rows,
      ["a line of the news", rounded(news)],
      ["an open connection", rounded(plain)],
      ["an open connection with TLS", rounded(tls)],
    ],
  );
}

export function processTable({ hour, ownHourMs, firstMinute, observe }: ProcessCosts): string {
  const kilobytes = (bytes: number): string => `${rounded(bytes / 1000, 1)} KB`;
  return toTable(
    ["one process", ""],
    [
      ["commands in an hour, healthy", rounded(hour.commands)],
      ["bytes in an hour, to the server and back", `${kilobytes(hour.bytesIn)}, ${kilobytes(hour.bytesOut)}`],
      ["time of the server in an hour", `${rounded(hour.serverMs)} ms`],
      ["its own time in an hour, with guard and client", `${rounded(ownHourMs)} ms`],
      ["its first minute, news full: time of the server", `${rounded(firstMinute.serverMs, 2)} ms`],
      ["its first minute, news full: bytes", kilobytes(firstMinute.bytesIn + firstMinute.bytesOut)],
      ["a healthy step in a fleet, of one without", `${rounded(observe.healthy, 2)} x`],
      ["the same while the fleet knows of dead ends", `${rounded(observe.warned, 2)} x`],
      ["a barren step in a fleet, of one without", `${rounded(observe.barren, 2)} x`],
    ],
  );
}

export function wholeTable(wholes: readonly Whole[]): string {
  return toTable(
    [
      "processes",
      "share of a core",
      "connections alone",
      "commands a second",
      "KB a second",
      "KB a connection",
      "know of it",
    ],
    wholes.map(({ title, processes, share, idleShare, ...more }) => [
      ...[`${rounded(processes)} ${title}`, `${rounded(share * 100, 1)} %`, `${rounded(idleShare * 100, 1)} %`],
      ...[
        rounded(more.commandsPerSecond),
        rounded(more.bytesPerSecond / 1000),
        rounded(more.connectionBytes / 1000, 1),
      ],
      rounded(more.knowing),
    ]),
  );
}

export function recoveryTable(recoveries: readonly Recovery[]): string {
  const seconds = (ms: number): string => `${rounded(ms / 1000, 1)} s`;
  return toTable(
    ["what happens", "fleets", "took it to be away", "all back", "ioredis", "node-redis", "time of the server", "lost"],
    recoveries.map(({ title, fleets, wereAway, backMs, backMsOf, serverMs, lost }) => [
      ...[title, rounded(fleets), rounded(wereAway), seconds(backMs), seconds(backMsOf.ioredis)],
      ...[seconds(backMsOf["node-redis"]), seconds(serverMs), rounded(lost)],
    ]),
  );
}

export function modelTable(recoveries: readonly ModelledRecovery[]): string {
  return toTable(
    ["in the model", "processes", "took it to be away", "work left over", "all back", "connections made anew"],
    recoveries.map(({ title, fleets, wereAway, backlogMs, backMs, reconnects }) => [
      ...[title, rounded(fleets), rounded(wereAway), `${rounded(backlogMs)} ms`, `${rounded(backMs / 1000, 1)} s`],
      rounded(reconnects),
    ]),
  );
}

/** A Markdown table. The first column is text, the others are numbers. */
export function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(line)].join("\n");
}

function rounded(value: number, digits = 0): string {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A measured value and its goal. */
export interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly unit: "x" | "%" | "µs" | "ms" | "s";
  readonly goal: { readonly atMost: number };
}

function isMet({ measured, goal }: Figure): boolean {
  return measured <= goal.atMost;
}

export function isTolerable({ measured, goal }: Figure): boolean {
  return measured <= goal.atMost * (1 + TOLERANCE);
}

export function goalTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, measured, unit, goal } = figure;
    return [what, `${rounded(measured, 1)} ${unit}`, `at most ${goal.atMost} ${unit}`, isMet(figure) ? "pass" : "miss"];
  });
  return toTable(["what", "measured", "goal", ""], rows);
}

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return `${availableParallelism()} cores, ${model}, ${process.platform} ${process.arch}, Node ${process.version}`;
}
