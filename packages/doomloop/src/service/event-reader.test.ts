import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { createEventReader } from "./event-reader.ts";

/** Reads a text in pieces. */
function read(text: string, { size = 1_000, maxBytes = 200_000 } = {}) {
  const reader = createEventReader(maxBytes);
  const bytes = Buffer.from(text);
  let isRead = true;
  for (let at = 0; at < bytes.length && isRead; at += size) isRead = reader.add(bytes.subarray(at, at + size));
  return { isRead, text: reader.bytes().toString("utf8"), session: reader.session() };
}
const long = (end: string): string => `${'\u00e4\n"\\x'.repeat(100_000)}${end}`;

it("keeps an event of a usual size byte for byte", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 40 }), (value, size) => {
      const text = JSON.stringify(value);
      expect(read(text, { size }).text).toBe(text);
    }),
    { numRuns: propertyRuns() },
  );
});

it("cuts a long text in an event, wherever it is, and leaves the rest", () => {
  fc.assert(
    fc.property(fc.integer({ min: 900, max: 1_100 }), fc.nat(20), (size, shift) => {
      const event = { session_id: "s", before: "x".repeat(shift), output: long(""), after: { tool: 'a"b', of: [1] } };
      const cut = JSON.parse(read(JSON.stringify(event), { size }).text) as typeof event;
      expect(cut).toEqual({ ...event, output: expect.stringMatching(/ \[\d+ bytes cut, [0-9a-f]{64}\]$/) });
      expect(cut.output.length).toBeLessThan(65_000);
    }),
    { numRuns: 20 },
  );
});

it("cuts equal texts equally, and lets different ones differ", () => {
  const cut = (end: string, size: number): string => read(JSON.stringify({ output: long(end) }), { size }).text;

  expect(cut("a", 1_000)).toBe(cut("a", 77));
  expect(cut("a", 1_000)).not.toBe(cut("b", 1_000));
});

it("names the session of an event that is too long even so, or incomplete", () => {
  const many = JSON.stringify({ session_id: "s1", list: Array.from({ length: 50_000 }, (_, at) => `item ${at}`) });
  expect(read(many)).toMatchObject({ isRead: false, session: "s1" });
  expect(read('{"taskId": "t1", "rest')).toMatchObject({ isRead: true, session: "t1" });
  expect(read('{"rest').session).toBeUndefined();
});
