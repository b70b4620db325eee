import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../../../test/contracts/fleet.ts";
import { createFingerprintNames, reportName, runName, shardOf } from "./fingerprint-names.ts";

describe("names in the store", () => {
  it("are HMAC-SHA-256 of tenant and fingerprint, cut to 128 bits, whatever the key's length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 200 }), fc.nat(999), (key, number) => {
        const expected = createHmac("sha256", key).update("acme\n").update(fingerprint(number), "utf16le").digest();
        expect(createFingerprintNames(key, "acme").nameOf(fingerprint(number))).toBe(
          expected.subarray(0, 16).toString("base64url"),
        );
      }),
    );
  });

  it("are each fingerprint's own, also where it takes another's place in memory", () => {
    const key = "a key of sixteen bytes";
    const names = createFingerprintNames(key, "acme");
    // Alike in the part that chooses the place.
    const alike = Array.from({ length: 6 }, (_, at) => fingerprint(7).slice(0, 8) + String.fromCharCode(0x3400 + at));

    for (const each of [...alike, ...alike]) {
      const expected = createHmac("sha256", key).update("acme\n").update(each, "utf16le").digest();
      expect(names.nameOf(each)).toBe(expected.subarray(0, 16).toString("base64url"));
      expect(names.nameOf(each)).toBe(names.nameOf(each));
    }
  });

  it("tell runs apart where worker and run would run together", () => {
    expect(runName({ worker: "a", run: "bc" })).not.toBe(runName({ worker: "ab", run: "c" }));
  });

  it.each(["", " ", "a b", "x".repeat(25), "a\u001fb", "é"])("hide an id that is not short and plain: %j", (id) => {
    expect(reportName(id)).toMatch(/^#[\w-]{11}$/);
  });

  it("spread over all shards", () => {
    const names = createFingerprintNames("a key of sixteen bytes", "acme");
    const shards = Array.from({ length: 900 }, (_, at) => shardOf(names.nameOf(fingerprint(at)), 8));

    for (let shard = 0; shard < 8; shard++) {
      expect(shards.filter((each) => each === shard).length).toBeGreaterThan(60);
    }
  });
});
