import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { digestOf, digestOfAll, digestToHex, isDigest, shortDigest } from "./digest.ts";

const mask = 0xffffffffn;
const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (32n - by))) & mask;
const avalanche = (word: bigint): bigint => {
  let mixed = ((word ^ (word >> 16n)) * 0x85ebca6bn) & mask;
  mixed = ((mixed ^ (mixed >> 13n)) * 0xc2b2ae35n) & mask;
  return mixed ^ (mixed >> 16n);
};

/** MurmurHash3 x86-128 with seed 0, written for clearness: one 16-byte block after the other. */
function murmur(bytes: Uint8Array, length = bytes.length): string {
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
  h = h.map((word) => word ^ BigInt(length));
  const spread = (): void => {
    h[0] = (h[0]! + h[1]! + h[2]! + h[3]!) & mask;
    for (const at of [1, 2, 3]) h[at] = (h[at]! + h[0]!) & mask;
  };
  spread();
  h = h.map(avalanche);
  spread();
  return h.map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Pieces of 8,192 characters, each filled up with zeros. */
function reference(text: string): string {
  const pieces: number[] = [];
  let length = 0;
  for (let at = 0; at < text.length; at += 8192) {
    const bytes = new TextEncoder().encode(text.slice(at, at + 8192));
    pieces.push(...bytes, ...Array<number>(-bytes.length & 15).fill(0));
    length += bytes.length;
  }
  return murmur(new Uint8Array(pieces), length);
}

describe("digestOf", () => {
  it("is MurmurHash3 x86-128 of whole blocks", () => {
    const text = "I will not buy this record, it is scratched.";

    expect(murmur(new TextEncoder().encode(text))).toBe("a0a9683b25ac5e40d9af2895890dddf5");
    expect(digestToHex(digestOf(text.slice(0, 32)))).toBe(murmur(new TextEncoder().encode(text.slice(0, 32))));
    expect(digestToHex(digestOf(""))).toBe("0".repeat(32));
  });

  it("agrees with a plain implementation on any well-formed text", () => {
    const property = fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
      expect(digestToHex(digestOf(text))).toBe(reference(text));
    });
    // The plain implementation is slow.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it.each(["x", "é", "€"])("reads on across its pieces: %s", (character) => {
    for (const length of [8191, 8192, 8193, 20_000]) {
      const text = character.repeat(length);

      expect(digestToHex(digestOf(text))).toBe(reference(text));
    }
  });

  it("tells texts apart whose pieces end inside a character", () => {
    const texts = ["", "a"].flatMap((shift) =>
      ["😀", "😁"].map((last) => `${shift}${"😀".repeat(4095)}${last}${"😀".repeat(4096)}`),
    );

    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
  });

  it("tells texts apart that differ in zeros at the end", () => {
    const texts = [8190, 8191, 8192, 8193].flatMap((length) =>
      ["", "\0", "\0\0", "\0a"].map((end) => `${"x".repeat(length)}${end}`),
    );

    expect(new Set(texts.map(digestOf)).size).toBe(new Set(texts).size);
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
    for (const units of [8191, 8192, 8193, 65_536])
      texts.push("\udfff".repeat(units), `${"\udfff".repeat(units - 1)}\udffe`);

    expect(new Set(texts.map(digestOf)).size).toBe(texts.length);
  });

  it("does not change with the text that is hashed in between", () => {
    const first = digestOf("a text");
    digestOf("another, much longer text ".repeat(9000));

    expect(digestOf("a text")).toBe(first);
  });
});

describe("a digest", () => {
  const digests = ["", "a", "b", "\u{1F4A5}", "x".repeat(1000)].map(digestOf);

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
});

describe("digestOfAll", () => {
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
      ["1:a1:b"],
      ["é"],
      ["\ud800"],
      ["\ufffd"],
    ];

    expect(new Set(sequences.map((texts) => digestOfAll(...texts))).size).toBe(sequences.length);
  });
});

describe("shortDigest", () => {
  it("is a digest, and another one for every two hashes", () => {
    const pairs = [
      [0, 0],
      [0, 1],
      [1, 0],
      [-1, 0],
      [0, -1],
      [0x7fffffff, 0x80000000],
    ] as const;
    const digests = pairs.map(([one, other]) => shortDigest(one, other));

    expect(new Set(digests).size).toBe(pairs.length);
    expect(digests.every((digest) => typeof digest === "string" && digest.length > 0)).toBe(true);
  });
});
