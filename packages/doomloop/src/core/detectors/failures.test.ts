import fc from "fast-check";
import { expect, it } from "vitest";
import { call, decisionsOf, failure, step } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

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
const all = ways.map(([command, words]) => [call("bash", { command }), failure(words)]);
const works = (at: number) => step("bash", { command: `ls ${at}` }, `file ${at}`);
const edit = (at: number) => step("edit_file", { path: "a.ts", text: `attempt ${at}` }, "edited");

it("tells of one failure after another by the ninth, and not at the fourth, in whatever order", () => {
  expect(decisionsOf(all.flat())[0]).toMatchObject({ finding: { kind: "failure-streak", tools: ["bash"] } });
  const property = fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (tried) => {
    expect(decisionsOf(tried.slice(0, 4).flat())).toEqual([]);
    expect(decisionsOf(tried.flat())).not.toEqual([]);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});

it("leaves them alone where the tool works in between, or each is the next one because of a change", () => {
  expect(decisionsOf(all.flatMap((each, at) => (at % 3 === 2 ? [...each, ...works(at)] : each)))).toEqual([]);
  expect(decisionsOf(all.flatMap((each, at) => [...each, ...edit(at)]))).toEqual([]);
});
