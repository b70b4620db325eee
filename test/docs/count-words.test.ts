import { expect, it } from "vitest";
import { wordsIn } from "../../scripts/count-words.ts";

it.each([
  ["prose", "Three plain words.", 3],
  ["a table", "| a | b |\n|---|--:|\n| one | 2 |", 4],
  ["a block of code", '```ts\nconst a = "b";\n```', 4],
  ["a type in code", "`Map<string, number>`", 2],
  ["a link, without its address", "[two words](a/page.md#and-heading)", 2],
  ["a picture, by what it shows", "![two words](a.svg)", 2],
  ["a heading", "## Two words", 2],
])("counts %s", (_, markdown, words) => {
  expect(wordsIn(markdown)).toBe(words);
});

it.each([
  ["front matter", "---\ntitle: a page\n---\n"],
  ["comments", "<!-- snippet: a.ts\nb -->\n"],
  ["HTML tags", '<img src="a.svg" alt="a b c">\n<br/>\n</p>'],
  ["marks alone", "- — · → | ↑"],
])("leaves out %s", (_, markdown) => {
  expect(wordsIn(markdown)).toBe(0);
});
