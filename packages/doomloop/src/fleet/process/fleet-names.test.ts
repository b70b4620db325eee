import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../../../test/contracts/fleet.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createNameOf, reportName, shortHash } from "./fleet-names.ts";

const key = "a key of sixteen bytes";

describe("the name of a fingerprint in the store", () => {
  it("is 128 bits of a keyed hash, so that only somebody with the key can check a guess", () => {
    const digest = createHmac("sha256", key).update("acme\n", "utf16le").update(fingerprint(1), "utf16le").digest();

    expect(createNameOf(key, "acme")(fingerprint(1))).toBe(digest.subarray(0, 16).toString("base64url"));
  });

  it("differs by fingerprint, tenant and key, and is otherwise the same", () => {
    const nameOf = createNameOf(key, "acme");
    const names = [
      nameOf(fingerprint(1)),
      nameOf(fingerprint(2)),
      createNameOf(key, "other")(fingerprint(1)),
      createNameOf(`${key}.`, "acme")(fingerprint(1)),
    ];

    expect(new Set(names).size).toBe(4);
    expect([nameOf(fingerprint(1)), createNameOf(Buffer.from(key), "acme")(fingerprint(1))]).toEqual([
      names[0],
      names[0],
    ]);
  });

  it("stays the same after it was forgotten to save space", () => {
    const nameOf = createNameOf(key, "acme");
    const before = nameOf("first");
    for (let at = 0; at < 5000; at++) nameOf(String(at));

    expect(nameOf("first")).toBe(before);
  });
});

describe("the name of a report", () => {
  it("starts with the run, and keeps an id that is short and plain", () => {
    const run = shortHash("run");

    expect(reportName(run, "17")).toBe(`${run}17`);
    expect(reportName(run, "1".repeat(1000))).toHaveLength(23);
  });

  it("is short, plain, and different for different reports", () => {
    const text = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(text, text, text, text, (run, id, otherRun, otherId) => {
        const [name, other] = [reportName(shortHash(run), id), reportName(shortHash(otherRun), otherId)];
        expect(name).toMatch(/^[\w.:#-]{11,35}$/);
        expect(name === other).toBe(run === otherRun && id === otherId);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
