import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { createRecordReader, type RecordReaderOptions } from "./record-reader.ts";

interface Read {
  readonly records: unknown[];
  readonly malformed: number;
  readonly tooLong: number;
  readonly faults: number;
}

function read(pieces: readonly (string | Uint8Array)[], options: RecordReaderOptions = {}): Read {
  const records: unknown[] = [];
  const reader = createRecordReader({ record: (value) => records.push(value) > 0, end: () => {} }, options);
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return { records, ...reader.skipped(), faults: reader.faults() };
}

const fine = { malformed: 0, tooLong: 0, faults: 0 };

it.each([
  { title: "lines", pieces: ["1\n2\n"], records: [1, 2] },
  { title: "a last line without an end", pieces: ["1\n2"], records: [1, 2] },
  { title: "a line over several pieces", pieces: ["[1", ",2", "]\n3"], records: [[1, 2], 3] },
  { title: "blank lines and carriage returns", pieces: ["1\r\n\r\n  \n2\r\n"], records: [1, 2] },
  { title: "a byte order mark", pieces: ["\uFEFF1\n2"], records: [1, 2] },
  { title: "a character cut in two", pieces: [Uint8Array.of(0x22, 0xc3), Uint8Array.of(0xa9, 0x22)], records: ["é"] },
  { title: "nothing", pieces: [], records: [] },
])("reads $title", ({ pieces, records }) => {
  expect(read(pieces)).toEqual({ records, ...fine });
});

it("counts lines that are not JSON, and continues", () => {
  expect(read(['{"a":\n1\nx\n2\n'])).toEqual({ records: [1, 2], ...fine, malformed: 2 });
});

it("skips lines over the limit, even across several pieces, and continues", () => {
  const pieces = ['"1234"\n"12', '345"\n7\n"123', "456", '789"'];

  expect(read(pieces, { maxBytes: 6 })).toEqual({ records: ["1234", 7], ...fine, tooLong: 2 });
});

it("reads consecutive lines of more than a megabyte", () => {
  const long = [1, 2, 3].map((at) => String(at).repeat(1_500_000 + at));
  const bytes = Buffer.from(long.map((text) => `${JSON.stringify(text)}\n`).join(""));
  const pieces = Array.from({ length: 30 }, (_, at) => bytes.subarray(at * 200_000, (at + 1) * 200_000));

  expect(read(pieces).records).toEqual(long);
});

it("reads a document over many lines at once if the layout allows it", () => {
  expect(read(['{\n  "a": [\n', "    1\n  ]\n}\n"], { layout: "any" })).toEqual({ records: [{ a: [1] }], ...fine });
});

it("treats a document as broken lines if the layout is lines", () => {
  expect(read(["{\n}\n"])).toEqual({ records: [], ...fine, malformed: 2 });
});

it("returns to lines if the first one was broken", () => {
  expect(read(['{"a":\n1\n2\n'], { layout: "any" })).toEqual({ records: [1, 2], ...fine, malformed: 1 });
});

it("skips a document over the limit", () => {
  expect(read(["[\n", "1,\n".repeat(10), "2]"], { layout: "any", maxBytes: 12 })).toEqual({
    records: [],
    ...fine,
    tooLong: 1,
  });
});

it("counts malformed records and failures of the parser", () => {
  const reader = createRecordReader({
    record(value) {
      if (value === 2) throw new Error("ours");
      return value !== 3;
    },
    end() {
      throw new Error("ours too");
    },
  });
  reader.push(Buffer.from("1\n2\n3\n4\n"));
  reader.end();

  expect([reader.skipped(), reader.faults()]).toEqual([{ malformed: 1, tooLong: 0 }, 2]);
});

it("reads the same however the bytes are split", () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.constant("é".repeat(40)));
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (values, cuts) => {
        const bytes = Buffer.from(values.map((each) => JSON.stringify(each)).join("\n"));
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
        expect(read(ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))).records).toEqual(values);
      },
    ),
    { numRuns: propertyRuns() },
  );
});
