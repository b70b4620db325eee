import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { seededDraw } from "../../../../../test/seeded-draw.ts";
import { createPseudonyms, type PseudonymsOptions } from "./pseudonyms.ts";
import { redactText } from "./redact-text.ts";
import { VOCABULARY } from "./vocabulary.ts";

const redactAll = (texts: readonly string[], seed = 1, options: PseudonymsOptions = {}): string[] => {
  const names = createPseudonyms(seededDraw(seed), options);
  return texts.map((text) => redactText(text, names));
};
const redact = (text: string): string => redactAll([text])[0]!;

describe("redactText", () => {
  it.each([
    "Error: no such file",
    "command not found",
    "status: running",
    "[doomloop] stop",
    "sed -n 1,40p",
    "git commit -m",
    "exited with code 127",
    "python -m pytest",
    "sleep 30",
    "timeout 120",
    "took 12.5s",
    "2>&1 | head -n20",
    "/tmp/a /dev/null",
  ])("keeps what the core reads: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it.each([
    "Ada Lovelace",
    "ada@lovelace.org",
    "sk-9fQz3LxT7bWm2R",
    "4111 1111 1111 1111",
    "078-05-1120",
    "192.168.17.42",
    "+49 170 5551234",
    "$12,345.67",
    "550e8400-e29b-41d4-a716-446655440000",
    "2026-01-31T12:34:56.789Z",
    "C:\\Kunden\\Müller",
    "Привет, мир",
    "你好世界",
    "🔑🐴🔋",
  ])("keeps nothing of %s but its length", (text) => {
    const redacted = redact(text);
    const words = text.match(/[\p{L}\p{N}]{3,}/gu) ?? [text];

    expect(redacted).toHaveLength(text.length);
    for (const word of words) expect(redacted).not.toContain(word);
  });

  it.each([
    "\\u0041\\u0064\\u0061",
    "%41%64%61",
    "\\101\\144\\141",
    "&#65;&#100;&#97;",
    "104,117,110,116,101,114",
    "104, 117, 110, 116, 101, 114",
    "h u n t e r",
    "'h', 'u', 'n', 't', 'e', 'r'",
    "ⓗⓤⓝⓣⓔⓡ",
    ...["/", ":", "+", " / ", "\u200b", "\n", "', '"].map((between) => [..."hunter"].join(between)),
    ...["\n", " ", ";", " + ", "\t"].map((between) => [104, 117, 110, 116, 101, 114].join(between)),
    "&#104&#117&#110&#116&#101&#114",
    "&amp;#104;&amp;#117;&amp;#110;",
    "%2568%2575%256e",
    "=68=75=6e=74=65=72",
    "\\u{68}\\u{75}\\u{6e}",
    "\\x68\\x75\\x6e",
    "68 75 6e 74 65 72",
    "0x68, 0x75, 0x6e, 0x74, 0x65, 0x72",
    "0 1 1 0 1 0 0 0",
  ])("replaces spelt-out text: %s", (text) => {
    const drawn = Array.from({ length: 20 }, (_, seed) => redactAll([text], seed)[0]!);

    expect(drawn).not.toContain(text);
    expect(new Set(drawn).size).toBe(20);
    expect(drawn.every(({ length }) => length === text.length)).toBe(true);
  });

  it.each([
    ...["52.5163", "7431.50", "1'234'567", "739-184", "08/2029", "1985-06", "415_867_530", "30000", "12:30:45"],
    ...["1\u00a0234", "12\u202f345", "12\t34", "12\u201334", "2026-01-31T12:34:56.789", "12h34m56s", "1234.5s"],
    ...["550e8400-e29b-4123-89ab-446655440000", "00:1b:44:11:3a:b7", "fe80::21b:44ff:fe11", "1a2-12-3b"],
  ])("replaces the digits of %s as one number", (text) => {
    const drawn = Array.from({ length: 30 }, (_, seed) => redactAll([text], seed)[0]!);

    for (const [at, digit] of [...text].entries()) {
      const seen = new Set(drawn.map((redacted) => redacted[at]));
      const isZero = digit === "0" && !/[1-9]/.test(text.slice(0, at).split(/\D/).at(-1)!);
      expect(seen.size > 1).toBe(/[\da-f]/.test(digit) && (!isZero || seen.size > 1));
    }
    expect(drawn.every((redacted) => redacted.replaceAll(/[\da-f]/g, "") === text.replaceAll(/[\da-f]/g, ""))).toBe(
      true,
    );
  });

  it.each([
    "██  ██ ▄▄▀▀█ ██",
    "    ▄▄▄▄▄ ▄ ▀▄",
    "⠓⠥⠝⠞⠑⠗⠼⠃",
    "┌┤│├┐└┘▖▗▘▙▚",
    "/\\_/\\|_|_/(_)\\_",
    "  ## ####  #   ## # #  ###",
    " |_|\\__,_| |_| \\___/ /_/ ",
    `${["47", "40", "47", "47", "40", "40", "47"].map((colour) => `\u001b[${colour}m  `).join("")}`,
  ])("replaces a picture made of marks: %s", (picture) => {
    const [one, again] = redactAll([`a\n${picture}\nb`, `a\n${picture}\nb`], 3);

    expect(one).toMatch(/^a\n[#=]+\nb$/);
    expect(one).toHaveLength(picture.length + 4);
    expect(again).toBe(one);
  });

  it.each(["=".repeat(40), `${" ".repeat(24)}}],`, '\\"}}]}],{\\"[[{{', `${" ".repeat(20)}^^^^^^`])(
    "leaves lines and what data is nested by: %s",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );

  it.each(["²³¹¼½¾", "①②③④⑤⑥", "❶❷❸➀➁➂", "〇〡〢〣〤〥", "✈✉✂☎☕", "⌚⏰⏳"])(
    "replaces all characters of %s",
    (text) => {
      const drawn = Array.from({ length: 9 }, (_, seed) => redactAll([text], seed)[0]!);

      for (const [at] of [...text].entries())
        expect(new Set(drawn.map((redacted) => redacted[at])).size).toBeGreaterThan(1);
    },
  );

  it("keeps upper and lower case, file extensions and the form of ids", () => {
    expect(redact("src/LoginForm.test.tsx")).toMatch(/^[a-z]{3}\/[A-Z][a-z]{4}[A-Z][a-z]{3}\.test\.tsx$/);
    expect(redact("id a3f9c2d41b")).toMatch(/^id [a-f0-9]{10}$/);
    expect(redact("id 0x7ffe12ab")).toMatch(/^id 0x[a-f0-9]{8}$/);
    expect(redact("KX-77123")).toMatch(/^[A-Z]{2}-\d{5}$/);
  });

  it("gives the same word the same pseudonym, and its other forms the same stem", () => {
    const [one, other, loud, forms] = redactAll(["frobnicate it", "do frobnicate", "FROBNICATE", "frobnicates"]);

    expect(other!.split(" ")[1]).toBe(one!.split(" ")[0]);
    expect(loud!.toLowerCase()).toBe(one!.split(" ")[0]);
    expect(forms!.slice(0, 5)).toBe(one!.slice(0, 5));
  });

  it("keeps known words only as a whole, also in names made of several words", () => {
    const [brand, person, town, site] = redactAll(["Databricks", "King", "Freeport", "Booking"]);

    expect(brand).toMatch(/^(?!Data)[A-Z][a-z]{9}$/);
    expect(person).toMatch(/^[A-Z](?!ing)[a-z]{3}$/);
    expect(town).toMatch(/^(?!Free)[A-Z][a-z]{7}(?<!port)$/);
    expect(site).toMatch(/^(?!Book)[A-Z][a-z]{6}(?<!ing)$/);
    expect(redact("TypeError")).toMatch(/^[A-Z][a-z]{3}Error$/);
    expect(redact("acme_retry_count")).toMatch(/^(?!acme)[a-z]{4}_retry_count$/);
  });

  it("replaces a time since 1970 with another one", () => {
    for (const time of ["1790000008", "1790753393508"]) {
      expect(redact(time)).toMatch(new RegExp(`^1[5-9]\\d{${time.length - 2}}$`));
      expect(redact(time)).not.toBe(time);
    }
  });

  it("can keep the known part of another form of a word", () => {
    const [errors, compiling] = redactAll(["errors", "compiling"], 1, { keepsParts: true });

    expect(errors).toMatch(/^error[a-z]$/);
    expect(compiling).toMatch(/^(?!compil)[a-z]{6}ing$/);
  });

  it("does not mistake a letter of a name for an escape", () => {
    const paths = ["C:\\Users\\nadine", "C:\\temp\\nadine", "\\\\server\\nadine"];
    const drawn = Array.from({ length: 40 }, (_, seed) => redactAll(paths, seed));

    for (const at of paths.keys())
      expect(new Set(drawn.map((texts) => /.{6}$/.exec(texts[at]!)![0][0])).size).toBeGreaterThan(1);
    expect(redactAll(["error\\n", '\\"acme\\nError\\"'])).toEqual([
      "error\\n",
      expect.stringMatching(/^\\"[a-z]{4}\\nError\\"$/),
    ]);
    for (let seed = 0; seed < 40; seed++)
      expect(() => JSON.parse(redactAll(['{"a":"foo\\nbar"}'], seed)[0]!) as unknown).not.toThrow();
  });

  it("keeps JSON text valid", () => {
    const text = JSON.stringify({ name: 'Ada\n\tLovelace "x" \\ \u0007 new\\next', list: [12_345, 1.5, null, true] });

    expect(() => JSON.parse(redact(text)) as unknown).not.toThrow();
    expect(redact(text)).not.toMatch(/Ada|Lovelace|12345/);
  });

  it("never creates a word that the core knows, and differs in each export", () => {
    const words = Array.from({ length: 3000 }, (_, at) => `q${at.toString(36).replaceAll(/\d/g, "x")}zj`);
    const [first, second] = [redactAll(words, 1), redactAll(words, 2)];

    expect(first.filter((word) => VOCABULARY.has(word))).toEqual([]);
    expect(first.filter((word, at) => word === second[at]).length).toBeLessThan(5);
    expect(new Set(first).size).toBe(new Set(words).size);
  });

  it("keeps the length of letters whose lower case is longer", () => {
    expect(redactAll(["İstanbul İ"], 0)[0]).toHaveLength("İstanbul İ".length);
  });

  it("keeps the length, white space, marks and well-formedness of any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.string({ maxLength: 60 }),
    );
    fc.assert(
      fc.property(texts, fc.nat(), (text, seed) => {
        const [redacted = ""] = redactAll([text], seed);

        expect(redacted).toHaveLength(text.length);
        expect(redacted.isWellFormed()).toBe(text.isWellFormed());
        if (/[\u2500-\u25ff\u2800-\u28ff]|[\s!-/:-@[-`{-~]{13}/.test(text)) return;
        expect(redacted.replaceAll(/[^\s!-/:-@[-`{-~]/g, "_")).toBe(text.replaceAll(/[^\s!-/:-@[-`{-~]/g, "_"));
        expect(redactAll([text], seed)).toEqual([redacted]);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
