import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";
import { joinPath } from "./read-program.ts";

describe("the file that a command shows", () => {
  it.each([
    ["cat f", "f"],
    ["cat -n ./a/f.ts", "a/f.ts"],
    ["head -50 f", "f"],
    ["head -n 50 f", "f"],
    ["tail f", "f"],
    ["tail -n +5 f", "f"],
    ["sed -n 1,20p f", "f"],
    ["sed -n '5p;9p' f", "f"],
    ["less f", "f"],
    ["nl -ba f", "f"],
    ["bat --style plain f", "f"],
    ["cat 'a b'", "a b"],
    ["cat < f", "f"],
    ["cat a//b/../f", "a/f"],
    ["cat ../f", "../f"],
    ["cat /a/./f", "/a/f"],
    ["cd src && cat a.ts", "src/a.ts"],
    ["cd /x; cd y && cat ../a.ts", "/x/a.ts"],
    ["cd x && cat /a", "/a"],
    ["cd && cat a", "~/a"],
    ["cat f | head -5", "f"],
    ["cat f 2>/dev/null || true", "f"],
    ["nl -ba f | sed -n '10,20p'", "f"],
    ["timeout 5 cat f", "f"],
    ["sudo cat /etc/f", "/etc/f"],
    ["bash -lc 'cat f'", "f"],
  ])("is for %j %j", (command, file) => {
    expect(readCommand(command)).toMatchObject({ file, effect: "look", isFileOperation: true });
  });

  it.each([
    "cat f g",
    "cat *.ts",
    "cat $f",
    "cat",
    "cat -",
    "cd $x && cat f",
    "cat f | grep a",
    "cat f | wc -l",
    "cat f > g",
    "cat f; ls",
    "cat f && cat g",
    "cat <<A\nx\nA",
    "tail -f f",
    "sed -i 1d f",
    "sed -n /a/p f",
    "sed s/a/b/ f",
    "grep a f",
    "if true; then cat f; fi",
    "echo $(cat f)",
    "cat f $(ls)",
  ])("is none for %j", (command) => {
    expect(readCommand(command).file).toBeUndefined();
  });
});

describe("work on files by shell", () => {
  it.each([
    "cat f g",
    "echo a > f",
    "printf a >> f",
    "sed -i 1d f",
    "ls | tee f",
    "cat > f <<A\nx\nA",
    "mv a b",
    "cp a b",
    "rm a",
    "perl -pi -e s/a/b/ f",
    "cat a > b",
    "cd x && rm a",
  ])("is %j", (command) => {
    expect(readCommand(command).isFileOperation).toBe(true);
  });

  it.each([
    "ls",
    "grep a f",
    "pytest | tail -5",
    "pytest > log",
    "echo a",
    "git mv a b",
    "npm ci",
    "python - <<A\nx\nA",
    "rm --help",
  ])("is not %j", (command) => {
    expect(readCommand(command).isFileOperation).toBe(false);
  });
});

it.each([
  ["", "a", "a"],
  ["", "./a", "a"],
  ["", "a/", "a"],
  ["", "a/./b//c", "a/b/c"],
  ["", "a/../b", "b"],
  ["", "../a", "../a"],
  ["", "../../a", "../../a"],
  ["", "/../a", "/a"],
  ["", ".", "."],
  ["", "a/..", "."],
  ["", ".env", ".env"],
  ["src", "a", "src/a"],
  ["src", "../a", "a"],
  ["src", "/a", "/a"],
  ["src", "~/a", "~/a"],
  ["~", "../a", "~/../a"],
  ["/", "a", "/a"],
])("joins %j and %j to %j", (directory, path, joined) => {
  expect(joinPath(directory, path)).toBe(joined);
});
