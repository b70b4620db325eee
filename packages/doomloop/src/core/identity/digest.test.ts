import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { byteWriter, digestOfText } from "./byte-writer.ts";
import { digestHint, digestToHex, isDigest } from "./digest.ts";

const mask = 0xffffffffn;
const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (32n - by))) & mask;
const avalanche = (word: bigint): bigint => {
  let mixed = ((word ^ (word >> 16n)) * 0x85ebca6bn) & mask;
  mixed = ((mixed ^ (mixed >> 13n)) * 0xc2b2ae35n) & mask;
  return mixed ^ (mixed >> 16n);
};

/** MurmurHash3 x86-128 with seed 0, written for clearness: one 16-byte block after the other, the last one padded. */
function murmur(bytes: Uint8Array): string {
  const factors = [0x239b961bn, 0xab0e9789n, 0x38b34ae5n, 0xa1e38b93n];
  const turns = [15n, 16n, 17n, 18n];
  const after = [
    [19n, 0x561ccd1bn],
    [17n, 0x0bcaa747n],
    [15n, 0x96cd1c35n],
    [13n, 0x32ac3b17n],
  ] as const;
  let h = [0n, 0n, 0n, 0n];
  const mixed = (word: bigint, at: number): bigint =>
    (rotate((word * factors[at]!) & mask, turns[at]!) * factors[(at + 1) % 4]!) & mask;
  for (let start = 0; start < bytes.length; start += 16) {
    const block = new Uint8Array(16);
    block.set(bytes.subarray(start, start + 16));
    const words = new Uint32Array(block.buffer);
    const isWhole = start + 16 <= bytes.length;
    for (let at = 0; at < 4; at++) {
      h[at] = h[at]! ^ mixed(BigInt(words[at]!), at);
      if (isWhole) h[at] = ((rotate(h[at]!, after[at]![0]) + h[(at + 1) % 4]!) * 5n + after[at]![1]) & mask;
    }
  }
  h = h.map((word) => word ^ BigInt(bytes.length));
  const spread = (): void => {
    h[0] = (h[0]! + h[1]! + h[2]! + h[3]!) & mask;
    for (const at of [1, 2, 3]) h[at] = (h[at]! + h[0]!) & mask;
  };
  spread();
  h = h.map(avalanche);
  spread();
  return h.map((word) => word.toString(16).padStart(8, "0")).join("");
}

const reference = (text: string): string => murmur(new TextEncoder().encode(text));

describe("digestOfText", { timeout: 900_000 }, () => {
  it("is MurmurHash3 x86-128", () => {
    const text = "I will not buy this record, it is scratched.";

    expect(digestToHex(digestOfText(text))).toBe("a0a9683b25ac5e40d9af2895890dddf5");
    expect(reference(text)).toBe("a0a9683b25ac5e40d9af2895890dddf5");
    expect(digestToHex(digestOfText(""))).toBe("0".repeat(32));
  });

  it("agrees with a plain implementation on any well-formed text", () => {
    const property = fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
      expect(digestToHex(digestOfText(text))).toBe(reference(text));
    });
    // The plain implementation is slow.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  const fillers = { "one byte": "x", "two bytes": "é", "three bytes": "€", "four bytes": "😀" };
  it.each(Object.entries(fillers))("reads on across its chunks of 65,536 bytes: characters of %s", (_, character) => {
    for (const shift of ["", "a"]) {
      for (const bytes of [65_520, 65_535, 65_536, 65_537, 131_073]) {
        const size = new TextEncoder().encode(character).length;
        const text = shift + character.repeat(Math.round(bytes / size));

        expect(digestToHex(digestOfText(text))).toBe(reference(text));
      }
    }
  });

  it("tells ill-formed texts apart, however long", () => {
    const texts = [
      "\ud800",
      "\udc00",
      "\ufffd",
      "\ud800\ud800",
      `${"x".repeat(70_000)}\ud800`,
      `${"x".repeat(70_000)}\ud801`,
    ];
    for (const units of [32_767, 32_768, 32_769, 65_536])
      texts.push("\udfff".repeat(units), `${"\udfff".repeat(units - 1)}\udffe`);

    expect(new Set(texts.map(digestOfText)).size).toBe(texts.length);
  });

  it("does not change with the text that is hashed in between", () => {
    const first = digestOfText("a text");
    digestOfText("another, much longer text ".repeat(9000));

    expect(digestOfText("a text")).toBe(first);
  });
});

describe("a digest", () => {
  const digests = ["", "a", "b", "\u{1F4A5}", "x".repeat(1000)].map(digestOfText);

  it("is known by its form", () => {
    for (const digest of digests) expect(isDigest(digest)).toBe(true);
  });

  it.each([
    [""],
    ["abcdefghi"],
    ["\u3400".repeat(8)],
    ["\u3400".repeat(10)],
    ["\ubfff\uc000".repeat(4)],
    [null],
    [7],
    [{}],
    [["\u3400"]],
  ])("is not %j", (value) => {
    expect(isDigest(value)).toBe(false);
  });

  it("needs no escape in JSON and is no surrogate", () => {
    for (const digest of digests) {
      expect(JSON.stringify(digest)).toBe(`"${digest}"`);
      expect(digest.isWellFormed()).toBe(true);
    }
  });

  it("is printed as 32 hexadecimal digits, another for another digest", () => {
    const printed = digests.map(digestToHex);

    for (const hex of printed) expect(hex).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(printed).size).toBe(digests.length);
  });

  it("has a hint of 30 bits", () => {
    for (const digest of digests) expect(digestHint(digest)).toBeLessThan(2 ** 30);
    expect(digestHint(digests[1]!)).not.toBe(digestHint(digests[2]!));
  });
});

describe("byteWriter", () => {
  const written = (...texts: string[]): string => {
    byteWriter.begin();
    for (const text of texts) byteWriter.text(text);
    return byteWriter.digest();
  };

  it("tells one sequence of texts from any other", () => {
    const sequences = [
      [],
      [""],
      ["", ""],
      ["ab"],
      ["a", "b"],
      ["ab", ""],
      ["", "ab"],
      ["a", "", "b"],
      ["é"],
      ["\ud800"],
      ["\ufffd"],
    ];

    expect(new Set(sequences.map((texts) => written(...texts))).size).toBe(sequences.length);
  });

  it("writes a text of any length the same way", () => {
    for (const length of [23, 24, 25, 65_530, 65_536, 300_000]) {
      expect(written("x".repeat(length))).toBe(written("x".repeat(length)));
      expect(written("x".repeat(length))).not.toBe(written("x".repeat(length + 1)));
    }
  });

  it("remembers where fields begin, and copies the beginning", () => {
    byteWriter.begin();
    byteWriter.byte(7);
    byteWriter.mark();
    byteWriter.text("ab");
    const target = new Uint8Array(4);

    expect(byteWriter.marks).toEqual([1]);
    expect(byteWriter.length).toBe(8);
    expect(byteWriter.copyHead(target, 1, 2)).toBe(2);
    expect([...target]).toEqual([0, 7, 0x73, 0]);
  });
});
