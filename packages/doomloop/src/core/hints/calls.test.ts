import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { commandOf, fieldsOf, hintOf, wordsOf } from "./calls.ts";

it.each<[effect: string, tool: string, ...args: unknown[]]>([
  ["look", "read_file", { path: "a.ts" }],
  ["look", "view", { command: "view", path: "a.ts" }],
  ["look", "exec", { cmd: ["bash", "-lc", "ls"] }],
  ["watch", "check_job_status", { id: 1 }],
  ["watch", "mcp__shop__listOrders", {}],
  ["watch", "get_running_processes", {}],
  ["watch", "run_sql", { sql: "select * from orders" }],
  ["act", "run_sql", { sql: "delete from orders" }],
  ["act", "frobnicate", { on: true }],
  ["move", "browser_click", { ref: "e1" }],
  ["write", "edit_file", { path: "a.ts", old_string: "a", new_string: "b" }],
  ["write", "updateStatus", { id: 1, status: "open" }],
  ["write", "terminal", "rm -r build"],
  ["say", "send_mail", { to: "ada", text: "hello" }],
  ["test", "bash", { command: "npm test" }],
  ["wait", "computer", { action: "wait", duration: 2 }],
  ["wait", "terminal_write", { chars: "" }],
])("reads an effect: to %s is %s %j", (effect, tool, args) => {
  expect(hintOf(tool, args).effect).toBe(effect);
});

it("reads the one file that a call shows, and how long it says that it waits", () => {
  expect(hintOf("read_file", { path: "src/a.ts" }).subject).toBe("src/a.ts");
  expect(hintOf("bash", { command: "head -20 src/a.ts" }).subject).toBe("src/a.ts");
  expect(hintOf("grep", { pattern: "x", path: "src" }).subject).toBeUndefined();
  expect(hintOf("edit_file", { path: "a.ts", new_string: "x" }).subject).toBeUndefined();
  const waits = [{ seconds: 5 }, { ms: 250 }, { minutes: 2 }, { duration: 1e12 }, { seconds: -1 }, {}];
  expect(waits.map((args) => hintOf("wait", args).waitMs)).toEqual([5_000, 250, 120_000, 86_400_000, 1, 1]);
  expect(hintOf("get_order", { seconds: 5 }).waitMs).toBe(0);
});

it("reads arguments of any kind without a fault, and without running a getter", () => {
  const trap = Object.defineProperty({}, "path", { enumerable: true, get: () => expect.unreachable() });
  expect(() => hintOf("read_file", trap)).not.toThrow();
  const property = fc.property(fc.string(), fc.anything(), (tool, args) => {
    expect(hintOf(tool, args).effect).toMatch(/^(?:look|watch|act|move|write|say|test|wait)$/);
  });
  fc.assert(property, { numRuns: propertyRuns() });
});

it("reads the words of a name, and the command of a shell", () => {
  const names = ["mcp__postgres__insertRow", "read_file", "functions.exec", "a/b:getThing", ""];
  expect(names.map((name) => wordsOf(name).join(" "))).toEqual(["insert row", "read file", "exec", "get thing", ""]);
  const given = [{ cmd: ["bash", "-lc", "ls -l"] }, { command: ["git", "status"] }, "ls", { command: [1] }];
  expect(given.map((args) => commandOf(args, fieldsOf(args)))).toEqual(["ls -l", "git status", "ls", undefined]);
});
