import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { differingSettings, keyMark, readSettings, settingsText } from "./fleet-settings.ts";
import { resolveStoreOptions, type StoreFleetOptions } from "./store-fleet-options.ts";

const key = "a key of sixteen bytes";
const textOf = (options: Partial<StoreFleetOptions> = {}): string =>
  settingsText(resolveStoreOptions({ key, ...options }));

describe("the settings that workers agree on", () => {
  it("are one readable line that does not contain the key", () => {
    expect(textOf()).toMatch(/^key=[0-9a-f]{8} calls=10 workers=2 windowMs=300000 countAll=false$/);
  });

  it.each<[string, Partial<StoreFleetOptions>]>([
    ["key", { key: "another key of the same length" }],
    ["calls", { calls: 11 }],
    ["workers", { workers: 3 }],
    ["windowMs", { windowMs: 60_000 }],
    ["countAll", { countAll: true }],
  ])("differ by %s", (name, options) => {
    expect(differingSettings(textOf(), textOf(options))).toEqual([name]);
  });

  it("do not depend on options that each process may choose for itself", () => {
    const own = {
      witness: "one",
      tenantQuota: 5,
      heartbeatMs: 100,
      deadlineMs: 5,
      mode: "off",
      maxStoppedShare: 1,
    } as const;

    expect(differingSettings(textOf(), textOf(own))).toEqual([]);
  });

  it("ignore settings that only another version has", () => {
    expect(differingSettings(textOf(), `form=3 ${textOf()} more=1`)).toEqual([]);
  });

  it("name only our own settings, whatever the store holds", () => {
    const names = ["key", "calls", "workers", "windowMs", "countAll"];
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        const differing = differingSettings(textOf(), text);
        expect(names.filter((name) => differing.includes(name))).toEqual(differing);
      }),
      { numRuns: propertyRuns() },
    );
  });
});

describe("the mark of a key", () => {
  it("tells keys apart in eight characters", () => {
    expect(keyMark(key)).toMatch(/^[0-9a-f]{8}$/);
    expect(keyMark(key)).toBe(keyMark(Buffer.from(key)));
    expect(keyMark(key)).not.toBe(keyMark(`${key}.`));
  });
});

describe("the settings in a store", () => {
  it("are read as a worker writes them", () => {
    const text = textOf({ calls: 7, workers: 3, windowMs: 60_000 });

    expect(readSettings(text)).toEqual({ calls: 7, workers: 3, windowMs: 60_000, keyMark: keyMark(key) });
  });

  it("may have another order, and more entries than this version knows", () => {
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

  it("are read without throwing, whatever they hold", () => {
    fc.assert(fc.property(fc.string(), (text) => void readSettings(text)));
  });
});
