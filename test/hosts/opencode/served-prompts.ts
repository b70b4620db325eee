import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * A client of opencode's server: it sends prompts to one session, each after the file `over` says that no turn follows the one before.
 * `opencode run` would end with the first turn.
 */
const [program = "", ...prompts] = process.argv.slice(2);
const server = spawn(program, ["serve", "--port", "0", "--hostname", "127.0.0.1"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const url = await addressOf(server.stdout);
  const { id } = JSON.parse(await ask(`${url}/session`, {})) as { readonly id: string };
  for (const [at, text] of prompts.entries()) {
    await ask(`${url}/session/${id}/message`, { parts: [{ type: "text", text }] });
    while (!existsSync(join(process.cwd(), `over-${at + 1}`))) await setTimeout(50);
  }
} finally {
  server.kill();
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  let printed = "";
  for (;;) {
    const address = /http:\/\/\S+/.exec(printed)?.[0];
    if (address !== undefined) return address;
    const [piece] = await once(output, "data");
    printed += piece;
  }
}

async function ask(url: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.text();
}
