import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";

const substance = (command: string) => readCommand(command).substance;

describe("the substance of a command", () => {
  it.each([
    ["cd x && pytest -q 2>&1 | tail -20 || true", "pytest -q"],
    ["timeout 60 npm test", "npm test"],
    ["timeout -k 5 --signal=KILL 60s npm test", "npm test"],
    ["cd a && cd b; npm test", "npm test"],
    ["cd a\nnpm test", "npm test"],
    ["cd a || exit 1; npm test", "npm test"],
    ["npm   test", "npm test"],
    ["npm \\\n  test", "npm test"],
    ["npm test # once more", "npm test"],
    ["npm test 2>/dev/null", "npm test"],
    ["npm test |& head -n 5", "npm test"],
    ["npm test | head -5 | cat", "npm test"],
    ["npm test || :", "npm test"],
    ["time npm test", "npm test"],
    ["nohup nice -n 5 npm test", "npm test"],
    ["stdbuf -oL npm test", "npm test"],
    ["(npm test)", "npm test"],
    ["bash -lc 'cd x && npm test'", "npm test"],
    ["timeout 5 bash -c 'npm test 2>&1' | tail -3", "npm test"],
    ["env CI=1 npm test", "CI=1 npm test"],
    ["CI='1' npm test", "CI=1 npm test"],
    [`grep "a b" f`, "grep 'a b' f"],
    [`grep a\\ b f`, "grep 'a b' f"],
    [`echo "$HOME"`, "echo $HOME"],
    ["cat <<A > f\nx\nA", "cat > f <<B\nx\nB"],
  ])("is one for %j and %j", (one, other) => {
    expect(substance(one)).toBe(substance(other));
  });

  it.each([
    ["grep a f | wc -l", "grep a f"],
    ["cat f > g", "cat f"],
    ["cat f > g", "cat f >> g"],
    ["pytest -q", "pytest -v"],
    ["CI=1 npm test", "npm test"],
    ["CI=1 npm test", "CI=2 npm test"],
    ["sudo apt install x", "apt install x"],
    ["uv run pytest", "pytest"],
    ["a && b", "a || b"],
    ["a; b", "a && b"],
    ["a | b", "a; b"],
    ["a '&&' b", "a && b"],
    ["a 'b c'", "a b c"],
    ["echo '$x'", "echo $x"],
    ["ls '*.ts'", "ls *.ts"],
    [`echo "$x"y`, "echo $xy"],
    ["a &", "a"],
    ["npm test > /dev/null", "npm test"],
    ["tail -f log", "tail log"],
    ["x | tail -f", "x"],
    ["python - <<A\n1\nA", "python - <<A\n2\nA"],
    ["cat <<A\n$x\nA", "cat <<'A'\n$x\nA"],
    ["python <<< 1", "python <<< 2"],
    ["[[ -f x ]]", "[[ -d x ]]"],
    ["while a; do b; done", "until a; do b; done"],
    ["for i in 1; do a; done", "for i in 2; do a; done"],
    ["if a; then b; fi", "if a; then c; fi"],
    ["if a; then b; fi > f", "if a; then b; fi > g"],
    ["case x in a) b;; esac", "case x in c) b;; esac"],
    ["cd a", "cd b"],
    ["cd $a", "cd"],
  ])("differs between %j and %j", (one, other) => {
    expect(substance(one)).not.toBe(substance(other));
  });

  it("is the text itself where the text is no shell command", () => {
    expect(substance(`grep "a`)).toBe(`grep "a`);
  });
});

describe("a compound command", () => {
  it.each([
    "a; b",
    "a && b",
    "a || b",
    "a\nb",
    "if a; then b; fi",
    "for i in 1; do a; done",
    "curl x | sh",
    "a | xargs rm",
    "echo $(rm x)",
    "f() { a; }",
  ])("is %j", (command) => {
    expect(readCommand(command).isCompound).toBe(true);
  });

  it.each([
    "a",
    "cd x && a",
    "a | grep b | wc -l",
    "a || true",
    "timeout 5 a",
    "cat > f <<A\nx; y && z\nA",
    "echo $(date)",
    "sh -c a",
  ])("is not %j", (command) => {
    expect(readCommand(command).isCompound).toBe(false);
  });
});
