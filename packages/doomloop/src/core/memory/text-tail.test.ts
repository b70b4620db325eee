import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createTextTail, type TextRepeat, type TextTail, type TextTailState } from "./text-tail.ts";

const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru".split(" ");

/** Words that no two seeds share a stretch of, `length` characters with the last a space. */
function prose(length: number, seed = 1): string {
  const next = dice(seed);
  let text = "";
  while (text.length < length) {
    for (let left = 1 + next(3); left > 0; left--) text += syllables[next(syllables.length)];
    text += next(9) === 0 ? ". " : " ";
  }
  return `${text.slice(0, length - 2)}x `;
}

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 12) % sides;
  };
}

function times(count: number, unit: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => unit(index)).join("");
}

function feedInPieces(tail: TextTail, text: string, size = 20): TextRepeat[] {
  const repeats: TextRepeat[] = [];
  for (let start = 0; start < text.length; start += size) {
    const repeat = tail.feed(text.slice(start, start + size));
    if (repeat) repeats.push(repeat);
  }
  return repeats;
}

/** What a tail says about the text after half a page of something else. */
function repeatsOf(text: string): TextRepeat[] {
  return feedInPieces(createTextTail(), prose(900, 99) + text);
}

function longest(repeats: readonly (TextRepeat | undefined)[]): TextRepeat | undefined {
  let best: TextRepeat | undefined;
  for (const repeat of repeats) if (repeat && repeat.length > (best?.length ?? 0)) best = repeat;
  return best;
}

function json(state: TextTailState): TextTailState {
  return JSON.parse(JSON.stringify(state));
}

describe("a chant", () => {
  it.each([60, 240, 300, 500, 1000, 1500, 2000, 2048])("of period %i is noticed at its fifth repetition", (period) => {
    const unit = prose(period, period);

    expect(repeatsOf(unit.repeat(5).slice(0, -40))).toEqual([]);
    expect(repeatsOf(unit.repeat(6))[0]).toMatchObject({ period, repetitions: 5 });
  });

  it.each([
    ["of one letter", "a", 1],
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
    expect(longest(repeatsOf(unit.repeat(count)))).toMatchObject({ period });
  });

  it("is noticed although it counts, but later", () => {
    const text = (count: number) =>
      times(count, (index) => `Attempt ${index + 8} failed, I will wait and then try once more. `);

    expect(repeatsOf(text(6))).toEqual([]);
    expect(repeatsOf(text(12))).not.toEqual([]);
    expect(repeatsOf(times(14, (index) => `Attempt ${index} failed, retrying. `))).not.toEqual([]);
    expect(repeatsOf(times(14, (index) => `Attempt ${99 - index} failed, retrying. `))).not.toEqual([]);
  });

  it("is noticed although the digits are pieces of their own", () => {
    const tail = createTextTail();
    const repeats = times(20, () => "error |404| so I try again ")
      .split("|")
      .map((piece) => tail.feed(piece));

    expect(repeats.at(-1)).toMatchObject({ period: 23 });
  });

  it("is noticed although one word varies, but later", () => {
    const words = ["parser", "config", "lexer", "module", "handler", "cache", "session", "schema"];
    const unit = (index: number) =>
      `I need to look at the ${words[(index * index + index) % 8]} once more to see what is wrong with the code there. `;

    expect(repeatsOf(times(6, unit))).toEqual([]);
    expect(repeatsOf(times(16, unit))).not.toEqual([]);
  });

  it("is reported for as long as it lasts, and no longer", () => {
    const tail = createTextTail();
    const repeats = feedInPieces(tail, prose(100).repeat(20), 100);

    expect(repeats.map((repeat) => repeat.repetitions)).toEqual([...repeats.keys()].map((index) => index + 5));
    expect(feedInPieces(tail, prose(2000, 3), 100)).toEqual([]);
  });

  it("follows the options", () => {
    const unit = prose(50);
    const firstLength = (options: object) => feedInPieces(createTextTail(options), unit.repeat(40), 1)[0]?.length;

    expect(firstLength({ repetitions: 3, minimumLength: 100 })).toBe(150);
    expect(firstLength({ repetitions: 8, minimumLength: 100 })).toBe(400);
    expect(firstLength({ repetitions: 3, minimumLength: 1000 })).toBe(1000);
  });

  it("is forgotten by clear", () => {
    const tail = createTextTail();
    feedInPieces(tail, prose(100).repeat(4));
    tail.clear();

    expect(feedInPieces(tail, prose(100).repeat(4))).toEqual([]);
    expect(feedInPieces(tail, prose(100).repeat(2))).not.toEqual([]);
  });

  it("is noticed at the end of a piece of a million characters", () => {
    expect(createTextTail().feed(prose(900_000) + prose(1500, 5).repeat(66))).toMatchObject({ period: 1500 });
    expect(createTextTail().feed(prose(100).repeat(100) + prose(990_000))).toBeUndefined();
  });
});

describe("an innocent text", () => {
  const words = prose(20_000, 7).split(/[. ]+/);
  const number = dice(5);

  it.each([
    ["a padded table", times(40, (row) => `| ${words[row]!.padEnd(30)} | ${words[row + 50]!.padEnd(60)} |\n`)],
    ["a table without content", times(60, () => "|      |      |      |      |      |\n")],
    ["a table of figures", times(40, () => `| ${number(99)} | ${number(9)}.${number(99)} | ${number(9999)} |\n`)],
    [
      "a named table of figures",
      times(60, () => `| ${number(99)} ms | ${number(9)}.${number(99)} s | ${number(9999)} runs |\n`),
    ],
    ["dividers", times(40, (row) => `${words[row]}\n${"=".repeat(80)}\n${"-".repeat(80)}\n+${"----+".repeat(16)}\n`)],
    ["one long divider", "=-".repeat(2000)],
    ["a drawn frame", `┌${"─".repeat(900)}┐\n${`│${" ".repeat(900)}│\n`.repeat(30)}└${"─".repeat(900)}┘`],
    ["a blank page", "\n".repeat(40_000)],
    ["a numbered list", times(80, (row) => `${row + 1}. ${words.slice(row * 4, row * 4 + 4).join(" ")}\n`)],
    ["a log", times(40, (row) => `12:00:${row + 10} INFO request ${row + 517} handled in ${number(400)} ms\n`)],
    ["links to versions", times(40, (row) => `<a href="#1.${60 - row}.0">1.${60 - row}.0</a><br/>\n`)],
    ["code", times(30, (row) => `      if (${words[row]}) {\n        ${words[row + 90]}();\n      }\n    }\n  }\n}\n`)],
    ["closing braces", times(40, (depth) => `${" ".repeat(80 - 2 * depth)}}\n`)],
    [
      "a JSON array",
      times(60, (row) => `  { "id": ${row}, "name": "${words[row]}", "city": "${words[row + 80]}" },\n`),
    ],
    ["zeros", "0, 0, 0, 0, 0, 0, 0, 0,\n".repeat(50)],
    ["a chorus among verses", times(3, (verse) => prose(500, verse + 40) + prose(400, 30))],
    ["base64", times(3000, () => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[number(64)]!)],
    ["CSV rows", times(80, (row) => `${row},${words[row]},${number(999)},${words[row + 99]},${number(99)}.5,true\n`)],
    [
      "a list of haiku",
      times(
        20,
        (row) => `## Haiku ${row + 1}\n\n${prose(17, row + 60)}\n${prose(24, row + 90)}\n${prose(17, row + 140)}\n\n`,
      ),
    ],
    ["four repetitions", prose(400).repeat(4)],
    ["prose", prose(30_000)],
  ])("passes: %s", (_, text) => {
    expect(repeatsOf(text)).toEqual([]);
  });
});

describe("the identity", { timeout: 120_000 }, () => {
  const identityOf = (text: string) => longest(repeatsOf(text))?.identity;

  it("does not depend on where the chant began or what stood before it", () => {
    const property = fc.property(fc.integer({ min: 20, max: 400 }), fc.nat(), fc.nat(), (period, seed, cut) => {
      const unit = prose(period, seed);
      const start = cut % period;
      const turned = unit.slice(start) + unit.slice(0, start);

      expect(identityOf(prose(700, seed + 1) + turned.repeat(20))).toBe(identityOf(unit.repeat(20)));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("does not depend on the counter", () => {
    const text = (from: number) => times(20, (index) => `Attempt ${from + index} failed, I will wait and try again. `);

    expect(identityOf(text(700))).toBe(identityOf(text(1)));
  });

  it("tells two chants apart", () => {
    expect(identityOf(prose(90, 1).repeat(9))).not.toBe(identityOf(prose(90, 2).repeat(9)));
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
      const [one, many] = [createTextTail(), createTextTail()];
      const answer = one.feed(whole);
      const answers = cutUp(whole, sizes).map((piece) => many.feed(piece));

      expect(longest(answers)).toEqual(answer);
      expect(many.save()).toEqual(one.save());
    });
    fc.assert(property, runs);
  });

  it("goes on after being saved and restored as if nothing had happened", () => {
    const property = fc.property(text, cuts, (whole, sizes) => {
      const kept = createTextTail();
      let moved = createTextTail();
      for (const piece of cutUp(whole, sizes)) {
        expect(moved.feed(piece)).toEqual(kept.feed(piece));
        moved = createTextTail({}, json(moved.save()));
      }
      expect(moved.save()).toEqual(kept.save());
    });
    fc.assert(property, savedRuns);
  });

  it("is saved in at most 7,000 characters, none of them its own", () => {
    const property = fc.property(text, (whole) => {
      const tail = createTextTail();
      tail.feed(whole);

      expect(JSON.stringify(tail.save()).length).toBeLessThanOrEqual(7000);
    });
    fc.assert(property, runs);

    const tail = createTextTail();
    tail.feed("the password is correct horse battery staple");
    expect(JSON.stringify(tail.save())).not.toMatch(/password|horse|staple/);
  });

  it("costs nothing before its first character", () => {
    const tail = createTextTail();
    tail.feed("");
    tail.clear();

    expect(tail.save()).toEqual({ hashes: "", counters: [] });
  });

  it("starts afresh from a state that is damaged", () => {
    const tail = createTextTail();
    tail.feed(prose(100).repeat(8));
    const good = json(tail.save());
    const counters = (index: number, value: unknown) => Object.assign([...good.counters], { [index]: value });
    const damaged: unknown[] = [
      null,
      7,
      "text",
      {},
      { hashes: good.hashes },
      { ...good, counters: 3 },
      { ...good, counters: [] },
      { ...good, hashes: `${good.hashes.slice(0, -1)}!` },
      { ...good, hashes: good.hashes.slice(8) },
      { ...good, counters: counters(0, -1) },
      { ...good, counters: counters(0, 0.5) },
      { ...good, counters: counters(0, "100") },
      { ...good, counters: counters(1, null) },
      { ...good, counters: counters(5, 5000) },
      { ...good, counters: counters(5, -1) },
    ];

    expect(createTextTail({}, good).feed(prose(100))).toBeDefined();
    for (const state of damaged) {
      const fresh = createTextTail({}, state as TextTailState);
      expect(fresh.save()).toEqual({ hashes: "", counters: [] });
      expect(fresh.feed(prose(100))).toBeUndefined();
    }
  });

  it("never throws on a state that only looks right", () => {
    const counters = fc.array(fc.oneof(fc.integer(), fc.nat(2048)), { minLength: 11, maxLength: 11 });
    const property = fc.property(counters, text, (values, whole) => {
      const hashes = "A".repeat(Math.ceil((Math.max(0, Math.min(values[0]!, 2048)) * 16) / 6));
      createTextTail({}, { hashes, counters: values }).feed(whole);
    });
    fc.assert(property, runs);
  });
});
