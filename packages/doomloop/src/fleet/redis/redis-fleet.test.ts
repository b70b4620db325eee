import { createRedisFleet, type RedisFleetOptions } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { report, tell } from "../../../../../test/contracts/fleet.ts";

/** A client that was never connected: what it is asked is an error of ours. */
const client = {
  isOpen: false,
  isReady: false,
  evalSha: () => Promise.reject(new Error("asked before it was connected")),
  eval: () => Promise.reject(new Error("asked before it was connected")),
  duplicate: () => client,
  on: () => client,
  connect: () => Promise.resolve(),
  destroy() {},
};
const key = "a key of sixteen bytes";

describe("a fleet over Redis", () => {
  it.each<[string, Partial<Record<keyof RedisFleetOptions, unknown>>]>([
    ["client", { client: {} }],
    ["client", { client: undefined }],
    ["copyClient", { copyClient: {} }],
    ["key", { key: "too short" }],
    ["key", { key: undefined }],
    ["tenant", { tenant: "a{b}" }],
    ["tenant", { tenant: "" }],
    ["shards", { shards: 0 }],
    ["calls", { calls: 1 }],
    ["maxCallsPerFingerprint", { maxCallsPerFingerprint: 9 }],
    ["maxDelayMs", { maxDelayMs: 300_001 }],
    ["maxStoppedShare", { maxStoppedShare: 1.1 }],
    ["deadlineMs", { deadlineMs: 0 }],
  ])("refuses what makes no sense for %s", (name, options) => {
    expect(() => createRedisFleet({ client, key, ...options } as RedisFleetOptions)).toThrow(
      expect.objectContaining({ code: "invalid-option", message: expect.stringContaining(`fleet: ${name}`) }),
    );
  });

  it("does not repeat a key that is too short", () => {
    expect(() => createRedisFleet({ client, key: "hunter2" })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });

  it("keeps reports, knows nothing and lets runs be stopped while its client is not connected", async () => {
    const fleet = createRedisFleet({ client, key });
    const member = fleet.join({ worker: "one" });
    tell(member, report(0));
    await fleet.flush();

    expect([member.verdict(report(0).fingerprint), member.mode?.(), member.mayStop?.()]).toEqual([
      undefined,
      "on",
      true,
    ]);
    expect(fleet.stats()).toMatchObject({ reported: 1, queued: 1, delivered: 0, lost: 0 });
    await fleet.close();
  });
});
