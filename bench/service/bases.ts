import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.ts";
import { start } from "./server-process.ts";

/**
 * What a web framework costs below the decision service: the same two routes on `node:http`, on Hono and on Fastify, which it installs into a
 * temporary folder. They take turns.
 *
 *     npm run bench:service:bases
 */
const ROUNDS = 6;
const REQUESTS = 6_000;
const ANSWER = '{ decisions: [{ action: "continue" }, { action: "continue" }] }';
const READY = '(port) => console.log("Listening on http://127.0.0.1:" + port)';

const PROGRAMS: Readonly<Record<string, string>> = {
  "node:http": `import { createServer } from "node:http";
    const server = createServer(async (request, response) => {
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      JSON.parse(Buffer.concat(pieces).toString("utf8"));
      const text = JSON.stringify(${ANSWER});
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    });
    server.listen(0, "127.0.0.1", () => (${READY})(server.address().port));`,
  hono: `import { serve } from "@hono/node-server";
    import { Hono } from "hono";
    const app = new Hono();
    app.post("/v1/runs/:run/events", async (context) => { await context.req.json(); return context.json(${ANSWER}); });
    serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => (${READY})(port));`,
  fastify: `import fastify from "fastify";
    const app = fastify({ bodyLimit: 4_000_000 });
    app.post("/v1/runs/:run/events", async () => (${ANSWER}));
    await app.listen({ port: 0, host: "127.0.0.1" });
    (${READY})(app.server.address().port);`,
};

const folder = mkdtempSync(join(tmpdir(), "doomloop-bases-"));
try {
  const names = ["hono", "@hono/node-server", "fastify"];
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, ...names]);
  const best = new Map<string, { perSecond: number; processor: number }>();
  const events = [
    { type: "call", tool: "read_file", args: {} },
    { type: "result", output: "x".repeat(4_000) },
  ];
  const body = Buffer.from(JSON.stringify({ events }));
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, text] of Object.entries(PROGRAMS)) {
      const file = join(folder, `${name.replace(":", "-")}.mjs`);
      writeFileSync(file, text);
      const server = await start([file], folder);
      const before = server.processorSeconds();
      const { perSecond, refused } = await load(server.port, REQUESTS, 32, () => ({ path: "/v1/runs/a/events", body }));
      const processor = ((server.processorSeconds() - before) / REQUESTS) * 1e6;
      await server.end();
      if (refused > 0) throw new Error(`bench: ${name} refused ${refused} requests`);
      const known = best.get(name);
      if (round >= 0 && (known === undefined || processor < known.processor)) best.set(name, { perSecond, processor });
    }
  }
  const bare = best.get("node:http")!;
  for (const [name, { perSecond, processor }] of best)
    console.log(
      `${name}: ${perSecond.toFixed(0)} requests a second, ${processor.toFixed(0)} µs of processor each (${(processor / bare.processor).toFixed(2)})`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
