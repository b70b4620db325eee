import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { commandOf, readCall, wordsOf } from "./read-call.ts";
import type { Effect } from "./read-command.ts";

const effectOf = (tool: string, args: unknown = {}): Effect => readCall(tool, args).effect;

describe("the effect of a call", () => {
  it.each<[Effect, string, unknown]>([
    ["look", "read_file", { path: "a.ts" }],
    ["look", "grep", { pattern: "x" }],
    ["look", "view", { command: "view", path: "a.ts" }],
    ["watch", "get_order", { id: 7 }],
    ["watch", "check_job_status", { id: 1 }],
    ["watch", "mcp__shop__listOrders", {}],
    ["watch", "run_sql", { sql: "select * from orders" }],
    ["act", "run_sql", { sql: "delete from orders" }],
    ["act", "frobnicate", { on: true }],
    ["move", "browser_click", { ref: "e1" }],
    ["move", "scroll", { direction: "down" }],
    ["write", "edit_file", { path: "a.ts", old_string: "a", new_string: "b" }],
    ["write", "create_ticket_file", { path: "a.md", content: "x" }],
    ["say", "send_mail", { to: "ada", text: "hello" }],
    ["say", "think", { thought: "hm" }],
    ["test", "run_test", {}],
    ["wait", "sleep", { seconds: 5 }],
    ["wait", "terminal_write", { chars: "" }],
  ])("is to %s: %s %j", (effect, tool, args) => {
    expect(effectOf(tool, args)).toBe(effect);
  });

  it("goes by an argument that names the action", () => {
    expect(effectOf("computer", { action: "screenshot" })).not.toBe(effectOf("computer", { action: "click" }));
    expect(effectOf("computer", { action: "wait", duration: 2 })).toBe("wait");
  });

  it("goes by the command of a shell", () => {
    expect(effectOf("bash", { command: "cat a.ts" })).toBe("look");
    expect(effectOf("bash", { command: "npm test" })).toBe("test");
    expect(effectOf("exec", { cmd: ["bash", "-lc", "ls"] })).toBe("look");
    expect(effectOf("terminal", "rm -r build")).toBe("write");
  });

  it("is not that of a name which only holds a word of the lists", () => {
    expect(effectOf("get_running_processes")).toBe("watch");
    expect(effectOf("updateStatus", { id: 1, status: "open" })).toBe("write");
  });

  it("is what the host says about changes", () => {
    expect(readCall("frobnicate", {}, false).effect).toBe("watch");
    expect(readCall("get_order", { id: 7 }, true).effect).toBe("act");
    expect(readCall("read_file", { path: "a" }, false).effect).toBe("look");
    expect(readCall("sleep", { seconds: 1 }, true).effect).toBe("wait");
  });
});

describe("a dispatcher", () => {
  it("is looked through: the inner name is the tool, and the inner arguments are its own", () => {
    const read = readCall("execute", { server: "shop", tool: "get_order", params: { id: 7 } });

    expect(read).toMatchObject({ tool: "execute.get_order", args: { id: 7 }, effect: "watch" });
  });

  it.each([
    ["has no inner arguments", { tool: "get_order" }],
    ["has two of them", { tool: "get_order", params: { id: 7 }, options: { deep: true } }],
    ["has no inner name", { params: { id: 7 } }],
    ["names a sentence", { tool: "get the order", params: { id: 7 } }],
  ])("is none where it %s", (_, args) => {
    expect(readCall("execute", args).tool).toBe("execute");
  });
});

describe("what a call is about", () => {
  it("is the one file that it shows", () => {
    expect(readCall("read_file", { path: "src/a.ts" }).subject).toBe("src/a.ts");
    expect(readCall("bash", { command: "head -20 src/a.ts" }).subject).toBe("src/a.ts");
    expect(readCall("grep", { pattern: "x", path: "src" }).subject).toBeUndefined();
    expect(readCall("edit_file", { path: "a.ts", new_string: "x" }).subject).toBeUndefined();
  });

  it.each([
    [{ seconds: 5 }, 5_000],
    [{ ms: 250 }, 250],
    [{ minutes: 2 }, 120_000],
    [{ duration: 1e12 }, 86_400_000],
    [{ seconds: -1 }, 1],
    [{}, 1],
  ])("is how long it says that it waits: %j", (args, waitMs) => {
    expect(readCall("wait", args).waitMs).toBe(waitMs);
    expect(readCall("get_order", args).waitMs).toBe(0);
  });
});

describe("arguments of any kind", () => {
  it("are read without a fault, and without running a getter", () => {
    const trap = Object.defineProperty({}, "path", { enumerable: true, get: () => expect.unreachable() });
    expect(() => readCall("read_file", trap)).not.toThrow();
    const property = fc.property(fc.string(), fc.anything(), (tool, args) => {
      expect(readCall(tool, args).effect).toMatch(/^(?:look|watch|act|move|write|say|test|wait)$/);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("wordsOf", () => {
  it.each([
    ["mcp__postgres__insertRow", ["insert", "row"]],
    ["read_file", ["read", "file"]],
    ["functions.exec", ["exec"]],
    ["a/b:getThing", ["get", "thing"]],
    ["", []],
  ])("of %j are %j", (tool, words) => {
    expect(wordsOf(tool)).toEqual(words);
  });
});

describe("commandOf", () => {
  it.each([
    [{ command: "ls" }, "ls"],
    [{ cmd: ["bash", "-lc", "ls -l"] }, "ls -l"],
    [{ command: ["git", "status"] }, "git status"],
    ["ls", "ls"],
    [{ other: "ls" }, undefined],
    [{ command: [1] }, undefined],
  ])("of %j is %j", (args, command) => {
    expect(commandOf(args)).toBe(command);
  });
});
