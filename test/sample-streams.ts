/** A text that an agent might stream, part by part. */
export interface SampleStream {
  readonly name: string;
  /** How many parts there are: of a chant, within how many it must be noticed. */
  readonly parts: number;
  part(index: number): string;
}

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru".split(" ");
const HAN = "我需要再次检查这个文件的内容然后运行测试看看结果是否正确如果不对就改代码问题原因可能在于配置读取方式";

/** A generator of whole numbers below `sides`: the same seed, the same numbers. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 12) % sides;
  };
}

/** Words that no two seeds share a stretch of, `length` characters with the last a space. */
export function prose(length: number, seed = 1): string {
  const next = dice(seed);
  let text = "";
  while (text.length < length) {
    for (let left = 1 + next(3); left > 0; left--) text += SYLLABLES[next(SYLLABLES.length)];
    text += next(9) === 0 ? ". " : " ";
  }
  return `${text.slice(0, length - 2)}x `;
}

/** Streams that go in circles. */
export function chants(seed = 1): SampleStream[] {
  const next = dice(seed);
  const words = prose(4000, seed + 50).split(/[. ]+/);
  const word = () => words[next(words.length)]!;
  const han = Array.from({ length: 60 }, () => HAN[next(HAN.length)]).join("");
  const exact = (name: string, unit: string, parts: number) => ({ name, parts, part: () => unit });
  return [
    exact("a word", "the ", 90),
    exact("a few words", "and then we go on ", 30),
    exact("a sentence", prose(80, seed), 7),
    exact("a paragraph", prose(700, seed + 1), 7),
    exact("a page", prose(2000, seed + 2), 7),
    exact("a sentence in Chinese", "我需要再次检查这个文件的内容，然后再运行测试。", 18),
    exact("a paragraph in Chinese", `${han}。${han.slice(7, 51)}。`, 7),
    exact("emoji", "😀🎉🚀", 70),
    exact("a syllable without spaces", "lol", 130),
    exact("a letter", "a", 400),
    exact("a list", "\n- I will check the file again\n- and run the tests once more", 7),
    exact("a command in a fence", "\nLet me run:\n```bash\nnpm test -- --watch=false\n```\nIt fails again.", 8),
    exact("a line of code", "        self.assertEqual(result.value, expected.value)\n", 9),
    exact("an error with its number", "error 404 so I will fetch the page again. ", 11),
    exact("padded words", "one    more     try   \n\n\n\n then   ", 24),
    exact("two options weighed", `But wait, ${prose(60, seed + 3)}But wait, ${prose(70, seed + 4)}`, 7),
    {
      name: "a sentence in which a word varies",
      parts: 16,
      part: () => `I need to look at the ${word()} once more to see what is wrong with the code there. `,
    },
    {
      name: "a paragraph in which a number varies",
      parts: 9,
      part: () => `It took ${next(9999)} ms. ${prose(400, seed + 5)}`,
    },
    {
      name: "a paragraph in which a word varies",
      parts: 8,
      part: () => `Now the ${word()} again. ${prose(400, seed + 5)}`,
    },
  ];
}

/** Streams that look alike from part to part, and yet go on. */
export function honestStreams(seed = 1): SampleStream[] {
  const next = dice(seed);
  const words = prose(20_000, seed + 70).split(/[. ]+/);
  const word = () => words[next(words.length)]!;
  const name = () => word() + word();
  const sample = (what: string, parts: number, part: (at: number) => string) => ({ name: what, parts, part });
  return [
    sample("prose", 60, (at) => prose(500, seed + at)),
    sample("four repetitions", 4, () => prose(400, seed)),
    sample("a chorus among verses", 4, (at) => prose(500, seed + at + 40) + prose(400, seed + 30)),
    sample("a padded table", 60, () => `| ${word().padEnd(30)} | ${word().padEnd(60)} |\n`),
    sample("a table without content", 60, () => "|      |      |      |      |      |\n"),
    sample("a table of figures", 60, () => `| ${next(99)} | ${next(9)}.${next(99)} | ${next(9999)} |\n`),
    sample(
      "a table of figures with units",
      60,
      () => `| ${next(99)} ms | ${next(9)}.${next(99)} s | ${next(9999)} runs |\n`,
    ),
    sample("a table of rows by number", 60, (at) => `| row ${at} | ${next(1000)} | ${next(977)} |\n`),
    sample("dividers", 40, () => `${word()}\n${"=".repeat(80)}\n${"-".repeat(80)}\n+${"----+".repeat(16)}\n`),
    sample("one long divider", 40, () => "=-".repeat(50)),
    sample("a drawn frame", 30, () => `│${" ".repeat(90)}│\n├${"─┼".repeat(20)}┤\n`),
    sample("a blank page", 40, () => "\n".repeat(500)),
    sample("zeros", 60, () => "0, 0, 0, 0, 0, 0, 0, 0,\n"),
    sample("a numbered list", 80, (at) => `${at + 1}. ${word()} ${word()} ${word()} ${word()}\n`),
    sample(
      "a list of like sentences",
      40,
      () => `- The ${word()} takes a ${word()} and returns the ${word()} of its ${word()}.\n`,
    ),
    sample("a log", 40, (at) => `12:00:${at + 10} INFO request ${at + 517} handled in ${next(400)} ms\n`),
    sample("links to versions", 40, (at) => `<a href="#1.${60 - at}.0">1.${60 - at}.0</a><br/>\n`),
    sample("blocks of code", 30, () => `      if (${word()}) {\n        ${word()}();\n      }\n    }\n  }\n}\n`),
    sample("imports", 40, () => `import { ${name()} } from "./${name()}.ts";\n`),
    sample(
      "tests of one form",
      30,
      () => `  it("${word()} ${word()}", () => {\n    expect(${name()}(${next(90)})).toBe(${next(900)});\n  });\n\n`,
    ),
    sample("assignments", 40, () => `    this.${name()} = options.${name()} ?? ${next(50)};\n`),
    sample("closing braces", 40, (at) => `${" ".repeat(80 - 2 * at)}}\n`),
    sample("a JSON array", 60, (at) => `  { "id": ${at}, "name": "${word()}", "city": "${word()}" },\n`),
    sample("CSV rows", 80, (at) => `${at},${word()},${next(999)},${word()},${next(99)}.5,true\n`),
    sample(
      "haiku",
      20,
      (at) => `## Haiku ${at + 1}\n\n${prose(17, at + 60)}\n${prose(24, at + 90)}\n${prose(17, at + 140)}\n\n`,
    ),
    sample("base64", 60, () => Buffer.from(Array.from({ length: 57 }, () => next(256))).toString("base64")),
    sample("Chinese prose", 60, () => `${Array.from({ length: 20 }, () => HAN[next(HAN.length)]).join("")}。`),
    sample(
      "a list in Chinese",
      40,
      (at) => `${at + 1}、检查${HAN[next(40)]}${HAN[next(40)]}${HAN[next(40)]}的内容。\n`,
    ),
    sample("a checklist", 60, (at) => `- [x] Migrated chapter ${at + 1} to the new format\n`),
    sample("a report of tests", 60, (at) => `| test ${at + 1} | passed | 0 ms |\n`),
    sample("counted lines of code", 60, (at) => `  x[${at + 1}] = x[${at}] + dx;\n`),
    sample("counted list items", 60, (at) => `<li id="item-${at}">Item ${at}</li>\n`),
    sample("a matrix in code", 60, (at) => `  set(matrix, ${at >> 3}, ${at & 7}, ${next(90)});\n`),
    sample(
      "facts of one form",
      30,
      () => `**${word()}**: born in ${word()} in ${next(99)}, died in ${word()} in ${next(99)}, known for ${word()}.\n`,
    ),
    sample("steps of a proof", 30, () => `Since ${word()} is ${word()}, it follows that ${word()} is ${word()} too.\n`),
    sample(
      "a checklist",
      30,
      (at) => `- [${at % 3 === 0 ? "x" : " "}] Check that the ${word()} of the ${word()} still works\n`,
    ),
    sample(
      "a table of yes and no",
      40,
      () => `| ${name()} |${[1, 2, 3, 4].map(() => (next(2) ? " Yes |" : " No |")).join("")}\n`,
    ),
    sample("a wide table of yes", 40, () => `| ${name()} |${" Yes |".repeat(11)}\n`),
    sample("a diff", 40, () => `-  const ${word()} = ${word()};\n+  const ${word()} = await ${word()};\n`),
  ];
}
