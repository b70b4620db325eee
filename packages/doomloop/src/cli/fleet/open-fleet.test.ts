import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryFleet } from "doomloop/fleet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DoomloopError } from "../../core/doomloop-error.ts";
import { UsageError } from "../usage-error.ts";
import { openFleet } from "./open-fleet.ts";
import type { RedisFleetParts } from "./redis-fleet.ts";

const CLIENT = `exports.createClient = () => ({ log: [], on() {}, async connect() {}, destroy() { this.log.push("destroy"); } });`;
const URL = "redis://localhost";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-open-"));
  mkdirSync(join(folder, "node_modules/redis"), { recursive: true });
  writeFileSync(join(folder, "node_modules/redis/index.js"), CLIENT);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("a fleet over a store", () => {
  it("is made of a connected client, the tenant and the key, and let go of", async () => {
    const made: RedisFleetParts[] = [];
    const create = async (parts: RedisFleetParts) => {
      made.push(parts);
      return createMemoryFleet();
    };
    const view = await openFleet(
      { url: URL, tenant: "research", keyFile: write("fleet.key", "a key\n") },
      { folder, create },
    );
    await view.close();

    expect(made).toEqual([{ client: expect.objectContaining({ log: ["destroy"] }), tenant: "research", key: "a key" }]);
  });

  it("lets go of the client where the fleet refuses its parts", async () => {
    let client: unknown;
    const create = async (parts: RedisFleetParts): Promise<never> => {
      ({ client } = parts);
      throw new DoomloopError("invalid-option", "fleet: key: 32 characters are required, got 5");
    };

    await expect(openFleet({ url: URL }, { folder, create })).rejects.toThrow(
      new UsageError("fleet: key: 32 characters are required, got 5"),
    );
    expect(client).toMatchObject({ log: ["destroy"] });
  });

  it.each([
    ["absent.key", undefined, "no such file or directory"],
    ["empty.key", "\n", "--key-file: a file with a key is required"],
  ])("asks for a key that can be read: %s", async (name, text, complaint) => {
    const keyFile = text === undefined ? join(folder, name) : write(name, text);

    await expect(openFleet({ url: URL, keyFile }, { folder })).rejects.toThrow(complaint);
  });
});
