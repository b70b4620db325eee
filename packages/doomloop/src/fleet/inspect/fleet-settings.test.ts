import type { createRedisFleet } from "doomloop/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveRedisOptions } from "../redis/redis-fleet-options.ts";
import { keyMark, settingsText } from "../redis/settings-text.ts";
import { readSettings } from "./fleet-settings.ts";

type Options = Parameters<typeof createRedisFleet>[0];
const key = "a key of sixteen bytes";

describe("the settings in a store", () => {
  it("are read as a worker writes them", () => {
    const options = { client: undefined, key, calls: 7, workers: 3, windowMs: 60_000 } as unknown as Options;

    expect(readSettings(settingsText(resolveRedisOptions(options)))).toEqual({
      ...{ calls: 7, workers: 3, windowMs: 60_000, keyMark: keyMark(key) },
    });
  });

  it("may say more than is known here, in another order", () => {
    expect(readSettings("new=1 workers=2 windowMs=1000 calls=10 key=0c4bb119")).toMatchObject({
      calls: 10,
      workers: 2,
    });
  });

  it.each([
    undefined,
    "",
    "key=0c4bb119 calls=0 workers=2 windowMs=300000",
    "key=0c4bb119 calls=ten workers=2 windowMs=300000",
    "key=0c4bb119 calls=10 workers=2",
    "key=\u001b[2J calls=10 workers=2 windowMs=300000",
  ])("are not taken from %j", (text) => {
    expect(readSettings(text)).toBeUndefined();
  });

  it("may be anything, and nothing is thrown", () => {
    fc.assert(fc.property(fc.string(), (text) => void readSettings(text)));
  });
});
