import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, step } from "../../testing/events.ts";

const failing = (command: string, words: string) => [call("bash", { command }), failure(words)];
const ways = [
  ["ffmpeg -i slides.pdf out.mp4", "slides.pdf: Invalid data found when processing input"],
  ["pdftoppm slides.pdf page", "bash: pdftoppm: command not found"],
  ["convert slides.pdf page.png", "convert: attempt to perform an operation not allowed by the security policy"],
  ["python3 -c 'import fitz'", "ModuleNotFoundError: No module named fitz"],
  ["sudo apt-get install poppler-utils", "sudo: a password is required"],
  ["gs -sDEVICE=png16m slides.pdf", "Unrecoverable error, exit code 1: /undefinedfilename"],
  ["soffice --convert-to png slides.pdf", "Error: source file could not be loaded"],
  ["mutool draw -o page.png slides.pdf", "mutool: unknown subcommand draw"],
  ["npx pdf2img slides.pdf", "npm error code E404"],
] as const;
const all = ways.map(([command, words]) => failing(command, words));

describe("one failure after another", () => {
  it("is told of by the ninth, and not at the fourth", () => {
    expect(decisionsOf(all.slice(0, 4).flat())).toEqual([]);
    expect(decisionsOf(all.flat())[0]).toMatchObject({
      action: "nudge",
      finding: { kind: "failure-streak", tools: ["bash"] },
    });
  });

  it("ends with a success of that tool", () => {
    const events = all.flatMap((each, at) =>
      at % 3 === 2 ? [...each, ...step("bash", { command: `ls ${at}` }, `file ${at}`)] : each,
    );

    expect(decisionsOf(events)).toEqual([]);
  });
});

describe("a check that fails in spite of changes", () => {
  const lap = (at: number, words: string) => [
    ...step("edit_file", { path: "src/slots.ts", text: `const attempt = ${"x".repeat(at)};` }, "Edited src/slots.ts."),
    ...failing("npm test", words),
  ];
  const alike = [1, 2, 3, 4, 5, 6].map((at) => lap(at, "FAIL src/slots.test.ts: expected 3 slots, got 4"));

  it("is told of at the fifth failure, and not before", () => {
    expect(decisionsOf(alike.slice(0, 4).flat())).toEqual([]);
    expect(decisionsOf(alike.flat())[0]).toMatchObject({ finding: { kind: "test-fix", count: 5 } });
  });

  it("starts over where it passes in between", () => {
    const passes = step("bash", { command: "npm test" }, "12 tests passed");

    expect(decisionsOf([...alike.slice(0, 3).flat(), ...passes, ...alike.slice(3).flat()])).toEqual([]);
  });

  it("is left alone where it fails at another place each time", () => {
    const moving = ["cart", "order", "price", "stock", "user", "mail"].flatMap((name, at) =>
      lap(at + 1, `FAIL src/${name}.test.ts: ${name} is not what it was, expected a ${name}`),
    );

    expect(decisionsOf(moving)).toEqual([]);
  });
});
