import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { load } from "./load.ts";
import { startService, TOKEN } from "./server-process.ts";

/**
 * Rough clients beside honest ones: some stall, some reset, some send garbage, and one begins new runs all the time. Prints the memory of
 * the service minute by minute. Needs a build, and Linux.
 *
 *     npm run bench:service:rough -- --minutes 10
 */
const minutes = Number(process.argv[process.argv.indexOf("--minutes") + 1] || 1);
const service = await startService();
const end = performance.now() + minutes * 60_000;
const isOver = (): boolean => performance.now() >= end;
let honest = 0;
let refused = 0;
let slowest = 0;
let begun = 0;

const HEAD = (length: number): string =>
  `POST /v1/runs/rough/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: ${length}\r\n\r\n`;
const ROUGH: readonly (() => string)[] = [
  () => "",
  () => HEAD(1_000_000).slice(0, randomInt(40, 120)),
  () => `${HEAD(1_000_000)}{"events":[`,
  () => `${HEAD(100)}${String.fromCharCode(...Array.from({ length: 100 }, () => randomInt(0, 255)))}`,
  () => "\x16\x03\x01garbage\r\n\r\n",
  () => HEAD(-1),
];

async function roughClient(): Promise<void> {
  while (!isOver()) {
    const socket = connect(service.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.resume();
    socket.write(ROUGH[randomInt(ROUGH.length)]!());
    await wait(randomInt(5, 400));
    if (randomInt(2) === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
}

async function honestClient(name: string): Promise<void> {
  for (let at = 0; !isOver(); at++) {
    const events = [
      { type: "call", id: `c${at}`, tool: "read_file", args: { path: `${at}` } },
      { type: "result", id: `c${at}`, output: `${at} ${"x".repeat(4_000)}` },
    ];
    const body = Buffer.from(JSON.stringify({ events }));
    const result = await load(service.port, 1, 1, () => ({ path: `/v1/runs/${name}/events`, body }));
    honest++;
    refused += result.refused;
    slowest = Math.max(slowest, result.median);
    await wait(20);
  }
}

async function greedyClient(): Promise<void> {
  const body = Buffer.from('{"events":[{"type":"call","id":"c","tool":"t"},{"type":"result","id":"c","output":"x"}]}');
  while (!isOver()) {
    await load(service.port, 500, 8, () => ({ path: `/v1/runs/greedy-${begun++}/events`, body }));
    await wait(50);
  }
}

async function report(): Promise<void> {
  while (!isOver()) {
    await wait(Math.min(60_000, minutes * 15_000));
    console.log(
      `${service.memory().toFixed(0)} MB; ${honest} honest requests, ${refused} refused, slowest ${slowest.toFixed(0)} ms; ${begun} runs begun`,
    );
  }
}

await Promise.all([
  report(),
  greedyClient(),
  ...Array.from({ length: 40 }, roughClient),
  ...Array.from({ length: 8 }, (_, at) => honestClient(`honest-${at}`)),
]);
await service.end();
