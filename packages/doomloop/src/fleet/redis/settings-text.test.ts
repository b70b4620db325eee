import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { type RedisFleetOptions, resolveRedisOptions } from "./redis-fleet-options.ts";
import { differingSettings, settingsText } from "./settings-text.ts";

const key = "a key of sixteen bytes";
const textOf = (options: Partial<RedisFleetOptions> = {}): string =>
  settingsText(resolveRedisOptions({ client: {} as never, key, ...options }));

describe("the settings that workers agree on", () => {
  it("are one readable line, without the key", () => {
    expect(textOf()).toMatch(/^key=[0-9a-f]{8} calls=10 workers=2 windowMs=300000 countAll=false$/);
  });

  it.each<[string, Partial<RedisFleetOptions>]>([
    ["key", { key: "another key of the same length" }],
    ["calls", { calls: 11 }],
    ["workers", { workers: 3 }],
    ["windowMs", { windowMs: 60_000 }],
    ["countAll", { countAll: true }],
  ])("differ by %s", (name, options) => {
    expect(differingSettings(textOf(), textOf(options))).toEqual([name]);
  });

  it("are the same for what is each process's own affair", () => {
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

  it("do not mind what another version says besides", () => {
    expect(differingSettings(textOf(), `form=3 ${textOf()} more=1`)).toEqual([]);
  });

  it("name nothing but our own settings, whatever somebody else wrote", () => {
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
