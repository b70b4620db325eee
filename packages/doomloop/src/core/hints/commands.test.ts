import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { readCommand } from "./commands.ts";

it.each<[effect: string, ...commands: string[]]>([
  ["look", "ls -la", "cat a.ts | grep x | sort", "git status --short", "sudo find / -name x 2>/dev/null"],
  ["look", "cat jest.config.ts"],
  ["watch", "curl -s https://x.example/health", "kubectl get pods", "ps aux | grep node", "gh run view 7"],
  ["act", "curl -X POST -d a=1 https://x.example", "docker compose up -d", "python main.py"],
  ["write", "echo x > a.txt", "rm -r build", "find . -name a -delete", "npm install left-pad", "sed -i s/a/b/ a.ts"],
  ["test", "npm test", "cd app && npx vitest run a.test.ts", "npx tsc --noEmit"],
  ["wait", "sleep 30", ""],
])("reads an effect: to %s", (effect, ...commands) => {
  expect(commands.filter((command) => readCommand(command).effect !== effect)).toEqual([]);
});

it("reads the substance of a command, and keeps what makes it another one", () => {
  const same = ["cd app && npm test", "npm test 2>&1 | tail -20", "npm   test", "npm test || true"];

  expect(new Set(same.map((command) => readCommand(command).substance))).toEqual(new Set(["npm test"]));
  expect(readCommand("npm test -- a").substance).not.toBe(readCommand("npm test -- b").substance);
  expect(readCommand("cat a | grep x").substance).toContain("grep x");
});

it("reads the one file that a command shows, and how long it sleeps", () => {
  const shown = ["cat a.ts", "head -20 a.ts", "sed -n '1,20p' a.ts", "cat a.ts b.ts", "cat a.ts | wc -l", "npm test"];
  const sleeps = ["sleep 5", "sleep 0.5 && ls", "sleep 2m; tail -1 log", "ls"];

  expect(shown.map((command) => readCommand(command).file ?? "")).toEqual(["a.ts", "a.ts", "a.ts", "", "", ""]);
  expect(sleeps.map((command) => readCommand(command).waitMs)).toEqual([5_000, 500, 120_000, 0]);
});

it("adds nothing to any command", () => {
  const parts = fc.constantFrom(
    "cd a && ",
    "ls",
    " 2>&1",
    " | tail -5",
    " ",
    "&&",
    ";",
    "'",
    "sleep 1",
    "\n",
    "|",
    "<<",
  );
  const property = fc.property(fc.array(parts, { maxLength: 30 }), (list) => {
    expect(readCommand(list.join("")).substance.length).toBeLessThanOrEqual(list.join("").length);
  });
  fc.assert(property, { numRuns: propertyRuns() });
});
