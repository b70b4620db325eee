import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { limitHere, lowestCostMs } from "../../../../../test/shortest-time.ts";
import { readCommand } from "./read-command.ts";

const LENGTH = 16_000;
const MOMENT_MS = limitHere(1_000);
const snippet = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "cat",
        "rm",
        "x",
        "$x",
        "'",
        '"',
        "`",
        "$(",
        ")",
        "(",
        "{",
        "}",
        "${",
        "$((",
        "))",
        "[[",
        "]]",
        "|",
        "||",
        "&&",
        ";",
        "&",
        ">",
        ">>",
      ),
      fc.constantFrom(
        "<",
        "<<A",
        "<<<",
        "A",
        "\n",
        "\\",
        "#",
        "if",
        "then",
        "fi",
        "for",
        "in",
        "do",
        "done",
        "while",
        "case",
        "esac",
        "2>&1",
        "a=(",
        "*",
        "!",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(" "));

const property = <Value>(arbitrary: fc.Arbitrary<Value>, holds: (value: Value) => void) => {
  fc.assert(fc.property(arbitrary, holds), { numRuns: propertyRuns() });
};

describe("reading whatever comes", () => {
  it("never throws, and says the same each time", () => {
    property(fc.oneof(snippet, fc.string(), fc.string({ unit: "binary", maxLength: 200 })), (command) => {
      expect(readCommand(command)).toEqual(readCommand(command));
    });
  });

  it("reads a word the same whatever its quotes", () => {
    property(fc.stringMatching(/^[\w./=:,@%+-]{1,8}$/), (word) => {
      const plain = readCommand(`frob ${word}`);

      for (const quoted of [`'${word}'`, `"${word}"`, `\\${word}`, `""${word}''`])
        expect(readCommand(`frob  ${quoted}`)).toEqual(plain);
    });
  });

  it("sees through harmless wrappers whatever the command", () => {
    const program = fc.constantFrom("pytest", "ls", "git status", "make", "node a.js");
    property(fc.tuple(program, fc.array(fc.stringMatching(/^[a-z./]{1,5}$/), { maxLength: 3 })), ([name, words]) => {
      const command = [name, ...words].join(" ");
      const wrapped = readCommand(`cd x  && timeout 9 ${command} 2>&1 | tail -5 || true`);
      expect(wrapped.substance).toBe(readCommand(command).substance);
      expect(wrapped.effect).toBe(readCommand(command).effect);
    });
  });

  it("does not take the body of a here-document for commands", () => {
    property(fc.stringMatching(/^[a-z ;&|<>\n]{0,60}$/), (body) => {
      expect(readCommand(`cat <<'-END-'\n${body}\n-END-`)).toMatchObject({ effect: "look", isCompound: false });
    });
  });

  it.each([
    "(",
    "$(",
    "`",
    '"',
    "'",
    "${",
    "$((",
    "$[",
    "{a,",
    "{a,'}'",
    "<<a ",
    "<<a\n",
    "if ",
    "a;",
    "a|",
    "a&&",
    "$(a) ",
    "`a`",
    "[[ ( ",
    "[[ ",
    "((",
    "if [[ a",
    "case a in b) ",
    "a=(",
    "!(",
    "<(",
    "\\",
    "bash -c '",
    "sudo ",
    "find -exec ",
    "find -exec find ",
    "env A=b ",
    "<<a <<b ",
    "cat <<A\nA\n",
    "curl -o",
    "awk >",
    "../",
    "a ",
  ])("gets through 16,000 characters of %j in a moment", (unit) => {
    const command = unit.repeat(LENGTH / unit.length);

    expect(lowestCostMs(() => void readCommand(command), MOMENT_MS)).toBeLessThan(MOMENT_MS);
  });

  it("does not parse more than 16,384 characters", () => {
    const command = `rm ${"x".repeat(16_384)}`;

    expect(readCommand(command)).toEqual({
      substance: command,
      file: undefined,
      effect: "unknown",
      waitMs: 0,
      isCompound: true,
      isOutside: false,
      isStarting: false,
      isMeasuring: false,
      isFileOperation: false,
    });
  });

  it("does not parse a text that no shell could be given", () => {
    expect(readCommand("rm \0x")).toMatchObject({ substance: "rm \0x", effect: "unknown" });
  });

  it("keeps what it saw of a text that is no shell command", () => {
    const script = 'rm x; echo "a';

    expect(readCommand(script)).toMatchObject({ substance: script, effect: "change", isCompound: true });
  });

  it.each([
    ["cat <<A; rm x\n$y\nA", "change"],
    ["cat <<A <<-B\n1\nA\n\t2\n\tB\nls", "look"],
    ["git commit -m \"$(cat <<'E'\nit's (a\nE\n)\" && git push", "change"],
    ['echo "$(date "+%F")" `pwd`', "look"],
    ["x=$(ls | wc -l); [[ $x > 1 && -f y ]] || echo none", "look"],
    ["for ((i = 0; i < 3; i++)); do cat f$i; done", "look"],
    ["case $x in a) ls;; b|c) cat f;; *) rm f;; esac", "change"],
    ["f() { ls; }; f", "unknown"],
    ["a=(1 2); echo $a {1..3}", "look"],
    ["ls 2>&1 >&2 </dev/null", "look"],
    ["ls &>> log", "change"],
    ["echo a#b # > c", "look"],
    ["echo 'a' \\\n  > b", "change"],
    ["bash -c 'bash -c \"rm x\"'", "change"],
  ])("reads %j as a %s", (command, effect) => {
    expect(readCommand(command).effect).toBe(effect);
  });

  it("calls a look unknown where substitutions nest too deep", () => {
    expect(readCommand(`${"echo $(".repeat(12)}ls${")".repeat(12)}`)).toMatchObject({ effect: "unknown" });
  });
});
