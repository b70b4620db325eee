import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Resident, startResident } from "../../../../packages/doomloop/src/service/resident.ts";

export const TOKEN = "a-token-of-this-test";

/** A resident guard that answers over HTTP, for the tests of a file, and how often somebody came without the token. */
export function useHookServer(): { port(): number; strangers(): number } {
  let state: string;
  let resident: Resident | undefined;
  let strangers = 0;
  const faults: unknown[] = [];
  beforeAll(async () => {
    state = mkdtempSync(join(tmpdir(), "dl-"));
    resident = await startResident({
      state,
      version: "0.0.0",
      http: { port: 0, token: TOKEN, onStranger: () => void strangers++ },
      onFault: (fault) => void faults.push(fault),
    });
  });
  afterAll(async () => {
    await resident?.end();
    rmSync(state, { recursive: true });
    expect(faults).toEqual([]);
  });
  return { port: () => resident?.port ?? 0, strangers: () => strangers };
}
