import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { call, result, user } from "../../../../../test/builders.ts";
import { createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../../core/event.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const mixed = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const plain = letters(mixed, 10, 30);

/** What people call secrets: passwords, tokens, keys, addresses, names of others, sentences. Each holds ten characters that are nowhere else. */
const secret = fc.oneof(
  plain,
  fc.tuple(plain, letters(".-_@#%+=!", 1, 4), plain).map((parts) => parts.join("")),
  letters("0123456789abcdef", 16, 64),
  fc.tuple(plain, plain).map(([one, other]) => `${one}.${other}`),
  fc.tuple(plain, plain, plain).map((parts) => `eyJ${parts.join(".")}`),
  plain.map((text) => `sk-live-${text}`),
  plain.map((text) => `${text}@example.com`),
  plain.map((text) => `https://ada:${text}@host.example/x?key=${text}`),
  fc.tuple(plain, plain).map((words) => `the diagnosis of ${words.join(" ")}`),
);

/** Where one can stand: calls of every shape that tools have. */
const shapes: readonly ((secret: string) => AgentEvent)[] = [
  ...["path", "file_path", "filePath", "filename", "file", "notebook_path", "url", "query", "password", "text"].flatMap(
    (field) => [
      (secret: string) => call("Read", { [field]: secret }),
      (secret: string) => call("http_get", { [field]: `/v1/${secret}/users?api_key=${secret}` }),
      (secret: string) => call("mcp__server__tool", { deep: [{ [field]: secret }], [field]: `/home/${secret}/.env` }),
    ],
  ),
  ...[
    "redis-cli -a SECRET PING",
    "sshpass -p SECRET ssh prod",
    "gpg --passphrase SECRET -d file",
    "echo SECRET | base64 -d",
    "mail SECRET < report",
    "git SECRET",
    "git -c http.extraHeader=SECRET push",
    "SECRET is my password",
    "SECRET",
    "wget user:SECRET@host.example",
    "./deploy.sh SECRET",
    "curl -H 'Authorization: Bearer SECRET' https://host.example/SECRET",
    "export TOKEN=SECRET && npm test",
    "TOKEN=SECRET npm run SECRET",
    "python SECRET",
    "cat SECRET",
    "cat /home/SECRET/notes",
    "make SECRET",
    "docker run -e TOKEN=SECRET SECRET",
    "psql postgres://ada:SECRET@host/SECRET",
    "cat <<SECRET\nSECRET\nSECRET",
    "timeout SECRET npm SECRET",
    "env SECRET=SECRET SECRET",
    '"SECRET" --flag',
    "$(SECRET) `SECRET`",
  ].flatMap((command) => [
    (secret: string) => call("Bash", { command: command.replaceAll("SECRET", secret) }),
    (secret: string) => call("shell", { command: ["bash", "-lc", command.replaceAll("SECRET", secret)] }),
    (secret: string) => call("exec_command", command.replaceAll("SECRET", secret)),
  ]),
  (secret) => call(`a tool with ${secret} in its name`, { x: 1 }),
  (secret) => call("Read", secret),
  (secret) => call("Read", [secret, { [secret]: secret }]),
];

/** A run that goes in circles with a secret, which results and people repeat. */
function runWith(name: string, secret: string, at: number): string {
  const event = shapes[at % shapes.length]!(secret);
  const lap = [event, result(`the same, and ${secret}`)];
  return JSON.stringify({ run: name, model: "gpt-4o", events: [user(secret), ...Array(7).fill(lap).flat()] });
}

function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

/** All stretches of letters and digits of this length: what is in none of the secrets' is no piece of one. */
function* piecesOf(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9]{10,}/g)) {
    for (let at = 0; at + PIECE <= run.length; at++) yield run.slice(at, at + PIECE);
  }
}

const PIECE = 10;
const OUTPUTS = [
  ["scan", "runs.jsonl", "--top", "10000", "--html", "out/report.html", "--junit", "out/report.xml"],
  ["scan", "runs.jsonl", "--json"],
  ["scan", "runs.jsonl", "--jsonl"],
  ["scan", "runs.jsonl", "--github"],
];

it("shows none of 10,000 secrets, wherever they stood, in any output, the cache included", async () => {
  const number = Math.max(10_000, propertyRuns());
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

  expect(printed.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(JSON.parse(printed[1]!.stdout).totals.sessionsWithLoops).toBeGreaterThan(number / 2);
  expect(all.every((text) => text.length > 1000)).toBe(true);
  const own = new Set(secrets.flatMap((text) => [...piecesOf(text)]));
  const leaked = new Set(all.flatMap((text) => [...piecesOf(text)].filter((piece) => own.has(piece))));
  expect([...leaked], `seed ${seed}`).toEqual([]);
});
