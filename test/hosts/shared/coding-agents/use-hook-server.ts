import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type HookServer, startHookServer } from "../../../../packages/doomloop/src/service/hook-server.ts";

export const TOKEN = "a-token-of-this-test";

/** A server of hooks for the tests of a file, and how often somebody came without the token. */
export function useHookServer(): { port(): number; strangers(): number } {
  let state: string;
  let server: HookServer;
  let strangers = 0;
  beforeAll(async () => {
    state = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
    server = await startHookServer({ state, port: 0, token: TOKEN, onStranger: () => void strangers++ });
  });
  afterAll(async () => {
    await server.close();
    rmSync(state, { recursive: true });
  });
  return { port: () => server.port, strangers: () => strangers };
}
