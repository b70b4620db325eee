import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Engine, engines, isInstalled } from "../../test/stores/servers/engine.ts";
import { type Server, startServer } from "../../test/stores/servers/server.ts";
import { type Figure, isTolerable, TOLERANCE, toMarkdown } from "./figure.ts";
import { room } from "./room.ts";
import { scaleTable } from "./scale.ts";
import { clientNames } from "./store-client.ts";
import { throughput } from "./throughput.ts";
import { unitCosts } from "./unit-costs.ts";
import { workerCost } from "./worker-cost.ts";

/**
 * What a fleet costs a worker and its store, on a real server. Prints a table.
 *
 * `--engine valkey` measures on Valkey. `--scale` prints what single things cost the server, and what a million agents would
 * come to. `--check` fails if a goal is missed by more than the tolerance; `--write` keeps the
 * numbers in `results.json`.
 */
const { values: asked } = parseArgs({
  options: {
    engine: { type: "string", default: "redis" },
    scale: { type: "boolean" },
    check: { type: "boolean" },
    write: { type: "boolean" },
  },
});
const engine = engines.find((each) => each === asked.engine);
if (engine === undefined) throw new Error(`bench: one of ${engines.join(", ")} is required, got ${asked.engine}`);
if (!isInstalled(engine)) throw new Error(`bench: ${engine}-server is required: node scripts/install-servers.ts`);

const server = await startServer(engine);
try {
  if (asked.scale) console.log(scaleTable(await unitCosts(server)));
  const figures = asked.scale ? [] : await measure(server);
  if (figures.length > 0) console.log(toMarkdown(figures, await versionOf(engine, server)));
  if (asked.write) {
    const file = join(import.meta.dirname, "results.json");
    writeFileSync(file, `${JSON.stringify({ figures }, undefined, 2)}\n`);
  }
  if (asked.check) {
    const missed = figures.filter((figure) => !isTolerable(figure));
    for (const { what } of missed) console.error(`missed by more than ${TOLERANCE * 100} %: ${what}`);
    process.exitCode = missed.length === 0 ? 0 : 1;
  }
} finally {
  await server.stop();
}

async function measure(on: Server): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of clientNames) figures.push(...(await throughput(on, name)));
  for (const name of clientNames) figures.push(await workerCost(on, name));
  return [...figures, ...(await room(on))];
}

async function versionOf(of: Engine, on: Server): Promise<string> {
  const info = await on.ask("INFO", "server");
  const version = /valkey_version:([\d.]+)/.exec(info) ?? /redis_version:([\d.]+)/.exec(info);
  return `${of} ${version?.[1] ?? ""}`.trim();
}
