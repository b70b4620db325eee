import fc from "fast-check";
import type { AgentEvent } from "../packages/doomloop/src/core/event.ts";
import { call } from "./builders.ts";

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });
const mixed = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const plain = letters(mixed, 10, 30);

/** What people call secrets: passwords, tokens, keys, addresses, names of others, sentences. Each holds ten characters that are nowhere else. */
export const secrets = fc.oneof(
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
export const secretShapes: readonly ((secret: string) => AgentEvent)[] = [
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

/** All stretches of letters and digits of this length: what is in none of the secrets' is no piece of one. */
export function* piecesOf(text: string, length: number): Generator<string> {
  for (const [run] of text.matchAll(/[A-Za-z0-9]+/g)) {
    for (let at = 0; at + length <= run.length; at++) yield run.slice(at, at + length);
  }
}
