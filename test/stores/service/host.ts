import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "../../../packages/doomloop/src/core/decision.ts";
import { type Replica, startService, TOKEN } from "./replica.ts";

/** `doomloop serve --fleet` in a process of its own: the service of one host. */
export interface HostService extends Pick<Replica, "notes" | "stop"> {
  /** Asks for a page, and fails. Returns the decisions on call and result. */
  fail(run: string, url: string): Promise<Decision[]>;
  /** The text of an address; undefined if its status is not 200. */
  get(path: string): Promise<string | undefined>;
}

export async function startHost(url: string, words: readonly string[] = [], client = "ioredis"): Promise<HostService> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-host-"));
  const key = join(folder, "fleet.key");
  writeFileSync(key, "a key for all hosts of the tests\n", { mode: 0o600 });
  const options = `--listen 127.0.0.1:0 --fleet ${url} --key-file ${key} --client ${client}`.split(" ");
  const service = await startService([...options, ...words]);

  const headers = { authorization: `Bearer ${TOKEN}` };
  let calls = 0;
  return {
    notes: service.notes,
    async fail(run, page) {
      const id = `${calls++}`;
      const events = [
        { type: "call", id, tool: "fetch", args: { url: page } },
        { type: "result", id, output: "404 Not Found", error: true },
      ];
      const sent = { method: "POST", headers, body: JSON.stringify({ events }) };
      const response = await fetch(`${service.url}/v1/runs/${run}/events`, sent);
      return ((await response.json()) as { decisions: Decision[] }).decisions;
    },
    async get(path) {
      const response = await fetch(`${service.url}${path}`, { headers });
      return response.status === 200 ? response.text() : undefined;
    },
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
