import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { readCommand, readParsedCommand } from "./read-command.ts";

const LENGTH = 16_000;
const PLAIN_WORDS =
  "cat sed head tail ls rm git npm pip python python3 pytest timeout env sudo uv run bash sh cd sleep find xargs make test -n -c -v -i -lc --help -- 5 10s 1,20p a.ts ./b ../c /d src/e.py A=b C+=d install status -m exec -exec -delete export source . : [ nice command";

const plainCommand = fc
  .array(fc.oneof(fc.constantFrom(...PLAIN_WORDS.split(" ")), fc.stringMatching(/^[\w./=:,@%+-]{1,6}$/)), {
    minLength: 1,
    maxLength: 7,
  })
  .map((words) => words.join(" "));
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

  it("reads a plain command by its words as it would by the parser", () => {
    property(plainCommand, (command) => {
      expect(readCommand(command)).toEqual(readParsedCommand(command));
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
    "<(",
    "\\",
    "bash -c '",
    "sudo ",
    "find -exec ",
    "../",
    "a ",
  ])("gets through 16,000 characters of %j in a moment", (unit) => {
    const command = unit.repeat(LENGTH / unit.length);
    const start = performance.now();
    readCommand(command);

    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("does not parse more than 16,384 characters", () => {
    const command = `rm ${"x".repeat(16_384)}`;

    expect(readCommand(command)).toEqual({
      substance: command,
      effect: "unknown",
      waitMs: 0,
      isCompound: true,
      isTest: false,
      isFileOperation: false,
    });
  });

  it("does not parse a text that no shell could be given", () => {
    expect(readCommand("rm \0x")).toMatchObject({ substance: "rm \0x", effect: "unknown" });
  });

  it("keeps what it saw of a script that is too long to read whole", () => {
    const script = `rm x\n${"ls\n".repeat(600)}`;

    expect(readCommand(script)).toMatchObject({ substance: script, effect: "change", isCompound: true });
  });

  it("calls a look unknown where substitutions nest too deep", () => {
    expect(readCommand(`${"echo $(".repeat(12)}ls${")".repeat(12)}`)).toMatchObject({ effect: "unknown" });
  });
});
