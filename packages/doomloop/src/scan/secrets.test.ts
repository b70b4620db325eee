import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { call, result, user } from "../../../../test/builders.ts";
import { campaignSize } from "../../../../test/campaign-size.ts";
import { createCliSandbox } from "../../../../test/cli-sandbox.ts";
import { piecesOf, secrets as secret, secretShapes } from "../../../../test/made-up-secrets.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { Report } from "./report/report.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

/** A run that loops on a secret, which results and users repeat, also in a check that fails and in files that are read again. */
function runWith(name: string, secret: string, at: number): string {
  const event = secretShapes[at % secretShapes.length]!(secret);
  const lap = [event, result(`the same, and ${secret}`)];
  const more = [
    ...[call("Bash", { command: `pytest ${secret}` }), result(`1 failed: ${secret}`, { error: true })],
    ...[call("Read", { file_path: `/home/${secret}/${secret}.${secret}` }), result(secret)],
    ...[call("Bash", { command: `cat notes/${secret}` }), result(secret)],
  ].map((each, place) => ({ ...each, at: 1_790_000_000_000 + place * 1_000 }));
  const again = [{ type: "compaction" }, ...more];
  const events = [user(secret), ...Array(7).fill(lap).flat(), ...more, ...again, ...again, ...again];
  return JSON.stringify({ run: name, model: "gpt-4o", events });
}

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

const PIECE = 10;
const OUTPUTS = [
  ["scan", "runs.jsonl", "--top", "10000", "--html", "out/report.html"],
  ["scan", "runs.jsonl", "--json"],
  ["scan", "runs.jsonl", "--github"],
];

it("shows no secret in any output or in the cache, wherever they were", async () => {
  const number = campaignSize({ short: 2_000, full: Math.max(10_000, propertyRuns()) });
  const seed = Number(process.env.DOOMLOOP_PROPERTY_SEED ?? 20_261_116);
  const secrets = fc.sample(secret, { numRuns: number, seed });
  sandbox.write("runs.jsonl", `${secrets.map((text, at) => runWith(`run-${at}`, text, at)).join("\n")}\n`);
  sandbox.write("out/empty", "");
  // The first one fills the cache for the others.
  const printed: Awaited<ReturnType<typeof sandbox.doomloop>>[] = [];
  for (const words of OUTPUTS) printed.push(await sandbox.doomloop(words));
  const all = [
    ...printed.map(({ stdout, stderr }) => stdout + stderr),
    bytesBelow(join(sandbox.folder, "out")),
    bytesBelow(join(sandbox.folder, "cache")),
  ];

  expect(printed.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(JSON.parse(printed[1]!.stdout).totals.sessionsWithLoops).toBeGreaterThan(number / 2);
  expect((JSON.parse(printed[1]!.stdout) as Report).repeated.length).toBeGreaterThan(0);
  expect(all.every((text) => text.length > 1000)).toBe(true);
  const own = new Set(secrets.flatMap((text) => [...piecesOf(text, PIECE)]));
  const leaked = new Set(all.flatMap((text) => [...piecesOf(text, PIECE)].filter((piece) => own.has(piece))));
  expect([...leaked], `seed ${seed}`).toEqual([]);
});
