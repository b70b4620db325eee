import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../../../test/contracts/fleet.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { keyMark } from "./settings-text.ts";
import { createNameOf, reportName, shortHash } from "./store-names.ts";

const key = "a key of sixteen bytes";

describe("the name of a fingerprint in the store", () => {
  it("is 128 bits of a keyed digest, with which a person can check a guess if they have the key", () => {
    const digest = createHmac("sha256", key).update("acme\n", "utf16le").update(fingerprint(1), "utf16le").digest();

    expect(createNameOf(key, "acme")(fingerprint(1))).toBe(digest.subarray(0, 16).toString("base64url"));
  });

  it("is another one for another fingerprint, tenant or key, and the same again", () => {
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

  it("does not change when it was forgotten for room", () => {
    const nameOf = createNameOf(key, "acme");
    const before = nameOf("first");
    for (let at = 0; at < 5000; at++) nameOf(String(at));

    expect(nameOf("first")).toBe(before);
  });
});

describe("the mark of a key", () => {
  it("tells keys apart in eight characters", () => {
    expect(keyMark(key)).toMatch(/^[0-9a-f]{8}$/);
    expect(keyMark(key)).toBe(keyMark(Buffer.from(key)));
    expect(keyMark(key)).not.toBe(keyMark(`${key}.`));
  });
});

describe("the name of a report", () => {
  it("has the run in front and the id as it is, where that is short and plain", () => {
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
