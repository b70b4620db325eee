import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { chants, honestStreams, prose } from "../../../../../test/sample-streams.ts";
import {
  beginReading,
  createWordStream,
  endedWord,
  hashOf,
  readStream,
  readWords,
  type TextRepeat,
  type WordStream,
} from "./word-stream.ts";

function times(count: number, unit: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => unit(index)).join("");
}

function readInPieces(stream: WordStream, text: string, size = 20): TextRepeat[] {
  const repeats: TextRepeat[] = [];
  for (let start = 0; start < text.length; start += size) {
    const repeat = readStream(stream, text.slice(start, start + size), {});
    if (repeat) repeats.push(repeat);
  }
  return repeats;
}

/** What is said about a text after half a page of something else. */
function repeatsOf(text: string): TextRepeat[] {
  return readInPieces(createWordStream(), prose(900, 99) + text);
}

function read(text: string): WordStream {
  const stream = createWordStream();
  readStream(stream, text, {});
  return stream;
}

function copyOf(stream: WordStream): WordStream {
  return JSON.parse(JSON.stringify(stream));
}

const seeds = [1, 2000, 30_000];

describe("a chant", () => {
  const samples = seeds.flatMap((seed) => chants(seed).map((sample) => [sample.name, seed, sample] as const));
  it.each(samples)("of %s is noticed in time (seed %i)", (_name, _seed, { parts, part }) => {
    expect(repeatsOf(times(4, part))).toEqual([]);
    expect(repeatsOf(times(parts, part))).not.toEqual([]);
  });

  it.each([60, 240, 300, 500, 1000, 1500, 2000, 2048])("of period %i is noticed at its fifth repetition", (period) => {
    const unit = prose(period, period);

    expect(repeatsOf(unit.repeat(5).slice(0, -40))).toEqual([]);
    expect(repeatsOf(unit.repeat(6))[0]).toMatchObject({ period, repetitions: 5 });
  });

  it.each([
    ["of one word", "the ", 4],
    ["of twenty characters", prose(20), 20],
    ["in Chinese", "我需要再次检查这个文件的内容，然后再运行测试。", 23],
    ["of emoji", "😀🎉🚀", 6],
    ["of a list item", "\n- I will check the file again\n- and run the tests once more", 60],
    ["with a code fence", "\nLet me run:\n```bash\nnpm test -- --watch=false\n```\nIt fails again.", 60],
    ["with a number that stays", "error 404 so I will fetch the page again. ", 40],
    ["with padding", "one    more     try   \n\n\n\n then   ", 18],
  ])("%s is noticed once it covers 300 characters", (_, unit, period) => {
    const count = Math.ceil(340 / period);

    expect(repeatsOf(unit.repeat(Math.floor(290 / period)))).toEqual([]);
    expect(repeatsOf(unit.repeat(count + 1)).at(-1)).toMatchObject({ period });
  });

  it("is none where a number counts: that is a list", () => {
    expect(repeatsOf(times(40, (index) => `- [x] Migrated chapter ${index + 1} to the new format\n`))).toEqual([]);
    expect(repeatsOf(times(40, (index) => `${99 - index} files are left. `))).toEqual([]);
  });

  it("is noticed although the digits are pieces of their own", () => {
    const stream = createWordStream();
    const repeats = times(20, () => "error |404| so I try again ")
      .split("|")
      .map((piece) => readStream(stream, piece, {}));

    expect(repeats.at(-1)).toMatchObject({ period: 23 });
  });

  it("is noticed although one word varies, but later", () => {
    const words = ["parser", "config", "lexer", "module", "handler", "cache", "session", "schema"];
    const unit = (index: number) =>
      `I need to look at the ${words[(index * index + index) % 8]} once more to see what is wrong with the code there. `;

    expect(repeatsOf(times(6, unit))).toEqual([]);
    expect(repeatsOf(times(16, unit))).not.toEqual([]);
  });

  it("is noticed behind another, of another length", () => {
    const stream = createWordStream();
    readInPieces(stream, prose(700, 1).repeat(9));

    expect(readInPieces(stream, prose(120, 2).repeat(7)).at(-1)).toMatchObject({ period: 120, repetitions: 7 });
  });

  it("is reported for as long as it lasts, and no longer", () => {
    const stream = createWordStream();
    const repeats = readInPieces(stream, prose(100).repeat(20), 100);

    expect(repeats.map((repeat) => repeat.repetitions)).toEqual([...repeats.keys()].map((index) => index + 5));
    expect(readInPieces(stream, prose(2000, 3), 100)).toEqual([]);
  });

  it("follows the options", () => {
    const unit = prose(50);
    const noticedAt = (options: object) => {
      const stream = createWordStream();
      return [...unit.repeat(40)].findIndex((character) => readStream(stream, character, options)) + 1;
    };

    expect(noticedAt({ repetitions: 3, minimumLength: 100 })).toBe(150);
    expect(noticedAt({ repetitions: 8, minimumLength: 100 })).toBe(400);
    expect(noticedAt({ repetitions: 3, minimumLength: 1000 })).toBe(1000);
  });

  it("is noticed at the end of a piece of a million characters", () => {
    expect(readStream(createWordStream(), prose(900_000) + prose(1500, 5).repeat(66), {})).toMatchObject({
      period: 1500,
    });
    expect(readStream(createWordStream(), prose(100).repeat(100) + prose(990_000), {})).toBeUndefined();
  });
});

describe("an honest stream", () => {
  const samples = seeds.flatMap((seed) => honestStreams(seed).map((sample) => [sample.name, seed, sample] as const));
  it.each(samples)("passes: %s (seed %i)", (_name, _seed, { parts, part }) => {
    expect(repeatsOf(times(parts, part))).toEqual([]);
  });
});

describe("the identity", () => {
  const identityOf = (text: string) => repeatsOf(text).at(-1)?.identity;

  it("does not depend on where the chant began or what stood before it", () => {
    const property = fc.property(fc.integer({ min: 20, max: 400 }), fc.nat(), fc.nat(), (period, seed, cut) => {
      const unit = prose(period, seed);
      const start = unit.indexOf(" ", cut % period) + 1;
      const turned = unit.slice(start) + unit.slice(0, start);

      expect(identityOf(prose(700, seed + 1) + turned.repeat(20))).toBe(identityOf(unit.repeat(20)));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("does not depend on a word that varies", () => {
    const text = (from: number) =>
      times(16, (at) => `I look at the ${prose(8, at + from)}once more to see what is wrong with the code there. `);

    expect(identityOf(text(700))).toBe(identityOf(text(1)));
  });

  it("tells two chants apart", () => {
    expect(identityOf(prose(90, 1).repeat(9))).not.toBe(identityOf(prose(90, 2).repeat(9)));
  });
});

describe("what a stream says", () => {
  it.each([
    ["another word", "I begin now.", "I begin later."],
    ["another order", "now I begin", "I begin now"],
    ["another letter beyond ASCII", "größe", "größer"],
    ["words that were run together", "go on", "goon"],
    ["a number where there was none", "I begin.", "I begin 1."],
  ])("differs with %s", (_what, one, other) => {
    expect(hashOf(read(one))).not.toBe(hashOf(read(other)));
  });

  it("does not differ with white space, marks or the value of a number", () => {
    const said = ["Step 1: I begin.", "Step 27: I  begin!", " Step 3 - I begin"].map((text) => hashOf(read(text)));

    expect(new Set(said).size).toBe(1);
  });
});

describe("a stream", () => {
  /** Up to 20,000 characters in many pieces: some milliseconds a case, so these are tried with a fraction of the cases. */
  const runs = { numRuns: Math.ceil(propertyRuns() / 10) };
  const savedRuns = { numRuns: Math.ceil(propertyRuns() / 100) };

  const noise = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 40 }),
    fc.constantFrom("7", "42", "   ", "\n\n", "----", "| | |", "\ud800", "\udc00"),
    fc.integer({ min: 1, max: 2100 }).map((length) => prose(length, length)),
  );
  const chant = fc.tuple(noise, fc.integer({ min: 1, max: 30 })).map(([unit, count]) => unit.repeat(count));
  const text = fc.array(fc.oneof(noise, chant), { maxLength: 8 }).map((parts) => parts.join("").slice(0, 20_000));
  const cuts = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 20 });

  function cutUp(whole: string, sizes: readonly number[]): string[] {
    const pieces: string[] = [];
    for (let start = 0, index = 0; start < whole.length; index++) {
      const end = start + (sizes[index % sizes.length]! || 1);
      pieces.push(whole.slice(start, end), "");
      start = end;
    }
    return pieces;
  }

  it("is judged alike however it is cut", () => {
    const property = fc.property(text, cuts, (whole, sizes) => {
      const [one, many] = [createWordStream(), createWordStream()];
      const answer = readStream(one, whole, {});
      const answers = cutUp(whole, sizes).map((piece) => readStream(many, piece, {}));

      expect(answers.findLast((repeat) => repeat !== undefined)).toEqual(answer);
      expect(many).toEqual(one);
      expect(hashOf(many)).toBe(hashOf(one));
    });
    fc.assert(property, runs);
  });

  it("goes on as JSON as if nothing had happened", () => {
    const property = fc.property(text, cuts, (whole, sizes) => {
      const kept = createWordStream();
      let moved = createWordStream();
      for (const piece of cutUp(whole, sizes)) {
        expect(readStream(moved, piece, {})).toEqual(readStream(kept, piece, {}));
        moved = copyOf(moved);
      }
      expect(moved).toEqual(kept);
    });
    fc.assert(property, savedRuns);
  });

  it("is at most 7,000 characters of JSON, none of them its own", () => {
    const property = fc.property(text, (whole) => {
      expect(JSON.stringify(read(whole)).length).toBeLessThanOrEqual(7000);
    });
    fc.assert(property, runs);

    expect(JSON.stringify(read(prose(60_000, 5))).length).toBeLessThanOrEqual(7000);
    const ruled = createWordStream();
    for (let row = 0; row < 600; row++) readStream(ruled, `${"=-".repeat(600)} ${prose(9, row)}${row}`, {});
    expect(JSON.stringify(ruled).length).toBeLessThanOrEqual(7000);
    expect(JSON.stringify(read("the password is correct horse battery staple"))).not.toMatch(/password|horse|staple/);
  });

  it("costs little before its first word", () => {
    expect(JSON.stringify(read("\n")).length).toBeLessThan(250);
  });

  it("never throws or hangs on data that only look right", () => {
    const numbers = fc.array(fc.oneof(fc.integer(), fc.nat(2048), fc.double()), { maxLength: 600 });
    const damage = fc.record(
      {
        position: fc.double(),
        words: numbers,
        lengths: numbers,
        places: numbers,
        lag: fc.double(),
        score: fc.double(),
      },
      { requiredKeys: [] },
    );
    const property = fc.property(damage, text, (fields, whole) => {
      readStream({ ...createWordStream(), ...fields }, whole, {});
    });
    fc.assert(property, runs);
  });
});

/** The words of a text as [word, characters], and the last without. */
function wordsOf(...pieces: string[]): [number, number?][] {
  const reading = beginReading();
  const words: [number, number?][] = [];
  for (const piece of pieces) readWords(reading, piece, (word, length) => words.push([word, length]));
  const last = endedWord(reading.kind, reading.word);
  return last === 0 ? words : [...words, [last]];
}

const hashesOf = (text: string) => wordsOf(text).map(([word]) => word);
const lengthsOf = (text: string) => wordsOf(text).map(([, length]) => length);

describe("readWords", () => {
  it("tells words apart, and knows them again", () => {
    const [one, other, again] = hashesOf("tree root tree");

    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });

  it("tells the lowest bits of numbers", () => {
    expect(hashesOf("0 1 17 255 256 1000000")).toEqual([-1, -2, -18, -256, -1, -65]);
  });

  it.each([
    ["spaces", "a   b\n\n\nc", 3],
    ["marks", "--a -- b!?", 2],
    ["marks of other scripts", "我，她。「你」", 3],
    ["drawn lines", "│ a ─── b ┤", 2],
    ["digits in words", "v2beta", 3],
    ["letters that stand alone", "我需要", 3],
    ["accents", "größe élan", 2],
    ["nothing", " \n ", 0],
    ["letters without end", "a".repeat(50), 4],
  ])("reads %s", (_what, text, count) => {
    expect(hashesOf(text)).toHaveLength(count);
  });

  it("counts a run of white space, of digits or of one mark as one character", () => {
    expect(lengthsOf("ab   cd\n\n2024 == .")).toEqual([2, 3, 2]);
  });

  it("reads the end of a piece that is too long", () => {
    expect(wordsOf("a ".repeat(40_000)).length).toBe(8192);
  });

  it("reads the same words however a text is cut", () => {
    const piece = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("ab", "12", "  ", "--", "我"));
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(wordsOf(...pieces)).toEqual(wordsOf(pieces.join("")));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
