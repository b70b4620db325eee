import { hostname } from "node:os";
import { createStoreFleet, type StoreFleetOptions } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../memory/memory-store.ts";
import { resolveStoreOptions } from "./store-fleet-options.ts";

const store = createMemoryStore().open;
const key = "a key of sixteen bytes";

describe("the options of a fleet over a store", () => {
  it("have defaults for everything except store and key", () => {
    expect(resolveStoreOptions({ key })).toEqual({
      ...{ key, tenant: "default", witness: `${hostname()} ${process.pid}` },
      ...{ calls: 10, workers: 2, windowMs: 300_000, countAll: false, tenantQuota: 60_000 },
      ...{ mode: "on", maxStoppedShare: 0.1, stopsWhenAway: "process", heartbeatMs: 5000 },
      ...{ confirmMs: 6250, deadlineMs: 1000 },
    });
  });

  it.each<Partial<Record<keyof StoreFleetOptions, unknown>>>([
    { key: undefined },
    { key: "fifteen bytes.." },
    { key: new Uint8Array(15) },
    { key: 1234567890123456 },
    { tenant: "" },
    { tenant: "a{b}" },
    { tenant: "a b" },
    { tenant: "a*" },
    { tenant: "x".repeat(65) },
    { tenant: null },
    { witness: "" },
    { witness: "x".repeat(257) },
    { witness: 7 },
    { mode: "quiet" },
    { mode: null },
    { calls: 1 },
    { calls: 101 },
    { calls: 2.5 },
    { workers: 1 },
    { workers: 11 },
    { windowMs: 0 },
    { windowMs: "300000" },
    { now: 5 },
    { tenantQuota: 0 },
    { heartbeatMs: 99 },
    { heartbeatMs: 2 ** 31 },
    { heartbeatMs: Infinity },
    { confirmMs: -1 },
    { confirmMs: Infinity },
    { confirmMs: "5000" },
    { deadlineMs: 0 },
    { deadlineMs: 60_001 },
    { maxStoppedShare: -0.1 },
    { maxStoppedShare: 1.1 },
    { maxStoppedShare: Number.NaN },
    { maxStoppedShare: "10%" },
    { stopsWhenAway: "all" },
    { stopsWhenAway: true },
  ])("refuse %o", (wrong) => {
    const [name] = Object.keys(wrong);

    expect(() => createStoreFleet({ store, key, ...wrong } as StoreFleetOptions)).toThrow(
      expect.objectContaining({ code: "invalid-option", message: expect.stringContaining(`fleet: ${name}: `) }),
    );
  });

  it("accept a key in bytes, and a function for the mode", () => {
    const mode = () => "off" as const;

    expect(resolveStoreOptions({ key: Buffer.from(key), mode })).toMatchObject({ mode });
  });

  it("do not repeat a key that is too short", () => {
    expect(() => resolveStoreOptions({ key: "hunter2" })).toThrow("at least 16 bytes is required, got 7 bytes");
  });

  it("repeat only a few characters of a wrong value", () => {
    expect(() => resolveStoreOptions({ key, tenant: "x".repeat(10_000) })).toThrow(/^.{1,140}$/);
  });
});
