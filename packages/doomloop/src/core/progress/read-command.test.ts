import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { Effect } from "./read-command.ts";
import { readCommand } from "./read-command.ts";

describe("the effect of a command", () => {
  it.each<[Effect, string]>([
    ["look", "ls -la"],
    ["look", "cat a.ts | grep x | sort"],
    ["look", "git status --short"],
    ["look", "cd src && git diff"],
    ["look", "sudo find / -name x 2>/dev/null"],
    ["watch", "curl -s https://x.example/health"],
    ["watch", "kubectl get pods"],
    ["watch", "ps aux | grep node"],
    ["watch", "gh run view 7"],
    ["act", "curl -X POST -d a=1 https://x.example"],
    ["act", "docker compose up -d"],
    ["act", "python main.py"],
    ["write", "echo x > a.txt"],
    ["write", "rm -r build"],
    ["write", "find . -name a.log -delete"],
    ["write", "npm install left-pad"],
    ["write", "sed -i s/a/b/ a.ts"],
    ["test", "npm test"],
    ["test", "cd app && npx vitest run a.test.ts"],
    ["test", "npx tsc --noEmit"],
    ["wait", "sleep 30"],
    ["wait", ""],
  ])("is to %s: %s", (effect, command) => {
    expect(readCommand(command).effect).toBe(effect);
  });

  it("is not changed by a file whose name is a program's", () => {
    expect(readCommand("cat jest.config.ts").effect).toBe("look");
    expect(readCommand("cat eslint.json").effect).toBe("look");
  });
});

describe("the substance of a command", () => {
  it.each([
    ["cd app && npm test", "npm test"],
    ["npm test 2>&1", "npm test"],
    ["npm test 2>&1 | tail -20", "npm test"],
    ["npm   test", "npm test"],
    ["npm test || true", "npm test"],
  ])("of %j is %j", (command, substance) => {
    expect(readCommand(command).substance).toBe(substance);
  });

  it("keeps what makes it another command", () => {
    expect(readCommand("npm test -- a").substance).not.toBe(readCommand("npm test -- b").substance);
    expect(readCommand("cat a | grep x").substance).toContain("grep x");
  });

  it.each([
    ["cat a.ts", "a.ts"],
    ["head -20 a.ts", "a.ts"],
    ["sed -n '1,20p' a.ts", "a.ts"],
    ["cat a.ts b.ts", undefined],
    ["cat a.ts | wc -l", undefined],
    ["npm test", undefined],
  ])("shows the one file of %j: %s", (command, file) => {
    expect(readCommand(command).file).toBe(file);
  });

  it.each([
    ["sleep 5", 5_000],
    ["sleep 0.5 && ls", 500],
    ["sleep 2m; tail -1 log", 120_000],
    ["ls", 0],
  ])("says how long %j sleeps", (command, waitMs) => {
    expect(readCommand(command).waitMs).toBe(waitMs);
  });

  it("says whether it brings a text, and whether it works on files", () => {
    expect(readCommand("cat <<A > x\nhello\nA").brings).toBe(true);
    expect(readCommand("ls").brings).toBe(false);
    expect(readCommand("cat a.ts")).toMatchObject({ isFileWork: true });
    expect(readCommand("npm test")).toMatchObject({ isFileWork: false });
  });

  it("is itself in substance, whatever the command", () => {
    const parts = fc.constantFrom(
      "cd a && ",
      "ls",
      " 2>&1",
      " | tail -5",
      " ",
      "&&",
      ";",
      "'",
      '"',
      "sleep 1",
      "\n",
      "|",
      "$(",
      "x",
    );
    const property = fc.property(fc.array(parts, { maxLength: 30 }), (list) => {
      const { substance } = readCommand(list.join(""));
      expect(substance.length).toBeLessThanOrEqual(list.join("").length);
      expect(substance).toBe(substance.trim());
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
