import { expect, it } from "vitest";
import { createFileReadWatch } from "./file-reads.ts";

/** Reads files named by letters. A digit is the text that came back, and `!` a compaction. */
function readsOf(words: string) {
  const watch = createFileReadWatch();
  for (const word of words.split(" ")) {
    if (word === "!") watch.compaction();
    else watch.note({ path: word.charAt(0), what: `${word.charAt(0)}.ts`, text: word.slice(1) || undefined });
  }
  return { ...watch.take(), ...watch.finish() };
}

it("counts the reads of a file that was read before, and those that returned the same text", () => {
  expect(readsOf("a1 b1 a1 a2 a2")).toMatchObject({
    ...{ reads: 5, again: 3, unchanged: 2 },
    most: [{ what: "a.ts", times: 4, unchanged: 2 }],
  });
});

it("does not name a file that was read twice", () => {
  expect(readsOf("a a b b").most).toEqual([]);
});

it("does not take a text that is unknown for the same", () => {
  expect(readsOf("a a a").unchanged).toBe(0);
});

it("counts a file once for each compaction after which it was read again", () => {
  expect(readsOf("a b ! a a c ! a b")).toMatchObject({
    readAgain: 3,
    lost: [
      { what: "a.ts", times: 2 },
      { what: "b.ts", times: 1 },
    ],
  });
  expect(readsOf("! a ! b c")).toMatchObject({ readAgain: 0, lost: [] });
});

it("keeps a bounded number of files, and goes on counting", () => {
  const watch = createFileReadWatch();
  for (let at = 0; at < 5_000; at++) watch.note({ path: `${at}`, what: null, text: undefined });
  for (let at = 0; at < 3; at++) watch.note({ path: "0", what: null, text: undefined });

  expect(watch.take()).toMatchObject({ reads: 5_003, again: 3 });
  expect(watch.take()).toMatchObject({ reads: 0, again: 0 });
  expect(watch.finish()).toMatchObject({ most: [{ what: null, times: 4 }] });
});
