import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { commandsIn } from "./shell-words.ts";

it.each([
  ["npm test", [["npm", "test"]]],
  [
    "cd app && npm test | tail -5; echo done &",
    [
      ["cd", "app"],
      ["npm", "test"],
      ["tail", "-5"],
      ["echo", "done"],
    ],
  ],
  [`grep "two words" 'it''s' a\\ b`, [["grep", "two words", "its", "a\\ b"]]],
  ["cat a.txt > b.txt 2>&1 < c.txt", [["cat", "a.txt"]]],
  ["cat > a.py <<'EOF'\nrm -rf /\nEOF\npython a.py", [["cat"], ["python", "a.py"]]],
  ["cat <<EOF\nno end", [["cat"]]],
  ["if test -f a; then make; fi", [["test", "-f", "a"], ["make"], ["fi"]]],
  ["echo $(git log (x)) `pwd`", [["echo", "$(git log (x))", "`pwd`"]]],
  ["# only a comment\nls # and one more", [["ls"]]],
  ["", []],
])("cuts %j into its commands", (line, expected) => {
  expect(commandsIn(line)).toEqual(expected);
});

it("takes an empty word in quotation marks for a word, also at the end", () => {
  expect(commandsIn('git commit -m ""')).toEqual([["git", "commit", "-m", ""]]);
  expect(commandsIn("sed -i '' a.ts")).toEqual([["sed", "-i", "", "a.ts"]]);
});

it("ends on any text", () => {
  const piece = fc.constantFrom(
    "<<E",
    "<",
    ">",
    "'",
    '"',
    "\\",
    "$",
    "$(",
    "`",
    ")",
    "\n",
    " ",
    "a",
    "E",
    "&",
    "|",
    ";",
    "#",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(
        commandsIn(pieces.join("")).every(
          (words) => words.length > 0 && words.every((word) => typeof word === "string"),
        ),
      ).toBe(true);
    }),
    { numRuns: propertyRuns() },
  );
});
