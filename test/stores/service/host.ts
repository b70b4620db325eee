import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Decision } from "../../../packages/doomloop/src/core/decision.ts";

import { TOKEN } from "./replica.ts";

const program = resolve(import.meta.dirname, "../../../packages/doomloop/src/cli/main.ts");
/** The folder with the installed clients. */
const project = resolve(import.meta.dirname, "..");

/** `doomloop serve --fleet` in a process of its own: the service of one host. */
export interface HostService {
  /** What it wrote for its operator. */
  readonly notes: readonly Readonly<Record<string, unknown>>[];
  /** Asks for a page, and fails. Returns the decisions on call and result. */
  fail(run: string, url: string): Promise<Decision[]>;
  /** The text of an address; undefined if its status is not 200. */
  get(path: string): Promise<string | undefined>;
  stop(): Promise<void>;
}

export async function startHost(url: string, words: readonly string[] = [], client = "ioredis"): Promise<HostService> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-host-"));
  const key = join(folder, "fleet.key");
  writeFileSync(key, "a key for all hosts of the tests\n", { mode: 0o600 });
  const options = `--listen 127.0.0.1:0 --fleet ${url} --key-file ${key} --client ${client} --end-with-stdin`.split(
    " ",
  );
  const child = spawn(process.execPath, [program, "serve", ...options, ...words], {
    ...{ cwd: project, env: { ...process.env, DOOMLOOP_TOKEN: TOKEN } },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const notes: Record<string, unknown>[] = [];
  let faults = "";
  createInterface(child.stderr).on("line", (line) => {
    if (line.startsWith("{")) notes.push(JSON.parse(line));
    else faults += `${line}\n`;
  });
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "exit").then(() => ["it ended"]),
  ])) as [string];
  const base = /http\S+/.exec(line)?.[0];
  if (base === undefined) throw new Error(`the service did not start: ${line} ${faults}`);
  child.stdout.resume();

  const headers = { authorization: `Bearer ${TOKEN}` };
  let calls = 0;
  return {
    notes,
    async fail(run, page) {
      const id = `${calls++}`;
      const events = [
        { type: "call", id, tool: "fetch", args: { url: page } },
        { type: "result", id, output: "404 Not Found", error: true },
      ];
      const sent = { method: "POST", headers, body: JSON.stringify({ events }) };
      const response = await fetch(`${base}/v1/runs/${run}/events`, sent);
      return ((await response.json()) as { decisions: Decision[] }).decisions;
    },
    async get(path) {
      const response = await fetch(`${base}${path}`, { headers });
      return response.status === 200 ? response.text() : undefined;
    },
    async stop() {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
