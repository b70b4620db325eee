import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { readCall } from "../progress/read-call.ts";
import type { DeclaredIdentity } from "../tool-rule.ts";
import { fingerprintOf, placeOf, plainPath } from "./fingerprint.ts";

function of(tool: string, args: unknown, declared?: DeclaredIdentity, isPrimary = false): string | undefined {
  const { reading, file, substance } = readCall(tool, args);
  const place = substance === undefined ? undefined : placeOf(args, platform);
  return fingerprintOf({ tool, args, reading, file, substance, place }, { declared, isPrimary }, platform);
}
const shell = (command: string, more: object = {}): string | undefined => of("bash", { command, ...more });

describe("fingerprintOf", () => {
  it.each([
    ["cat src/a.ts"],
    ["head src/a.ts"],
    ["head -n 50 ./src/a.ts"],
    ["tail -20 src/a.ts"],
    ["sed -n 1,9p src/a.ts"],
    ["cd src && cat a.ts"],
    ["cat src/a.ts | head -100"],
    ["cat src//a.ts 2>/dev/null"],
  ])("of %j is that of reading the file", (command) => {
    expect(shell(command)).toBe(of("read_file", { path: "src/a.ts" }));
  });

  it("is one for all tools that read a file", () => {
    const read = of("read_file", { path: "src/a.ts" });

    expect(of("view", { file_path: "src/a.ts", offset: 3 })).toBe(read);
    expect(of("mcp__fs__get_file", { filePath: "./src/a.ts" })).toBe(read);
    expect(of("str_replace_editor", { command: "view", path: "src/a.ts" })).toBe(read);
  });

  it.each([
    ["cat src/a.ts", "cat src/b.ts"],
    ["cat src/a.ts", "wc -l src/a.ts"],
    ["cat src/a.ts", "cat src/a.ts src/b.ts"],
    ["cat src/a.ts", "cat src/a.ts > b.ts"],
    ["npm test", "npm test -- a"],
  ])("tells %j from %j", (one, other) => {
    expect(shell(one)).not.toBe(shell(other));
  });

  it.each([
    ["npm test", "npm test 2>&1 | tail -20"],
    ["npm test", "timeout 60 npm test"],
    ["npm test", "npm   test || true"],
    ["grep -r x .", "grep -r 'x' ."],
  ])("does not tell %j from %j", (one, other) => {
    expect(shell(one)).toBe(shell(other));
  });

  it("tells one command at two places apart, and not one that may take longer", () => {
    expect(shell("npm test", { host: "a" })).toBe(shell("npm test", { host: "a" }));
    expect(shell("npm test", { host: "a" })).not.toBe(shell("npm test", { host: "b" }));
    expect(shell("npm test", { timeout: 60, description: "tests" })).toBe(shell("npm test", { timeout: 90 }));
    expect(shell("cat a.ts", { cwd: "/one" })).not.toBe(shell("cat a.ts", { cwd: "/two" }));
  });

  it("is made of all arguments but those that do not change what is asked for", () => {
    const search = (more: object) => of("search", { query: "a", ...more });

    expect(search({ reason: "to be sure" })).toBeDefined();
    expect(search({ reason: "to be sure", timeout: 3 })).toBe(search({ reason: "to be safe", retries: 2 }));
    expect(search({ reason: "x", folder: "in" })).not.toBe(search({ reason: "x", folder: "out" }));
    expect(search({ reason: "x" })).not.toBe(of("lookup", { query: "a", reason: "x" }));
    expect(search({ folder: "in" })).toBeUndefined();
  });

  it("is made of the primary arguments alone where that is asked for", () => {
    const search = (more: object) => of("search", { query: "a", ...more }, undefined, true);

    expect(search({ folder: "in" })).toBeDefined();
    expect(search({ folder: "in" })).toBe(search({ folder: "out" }));
    expect(search({ folder: "in" })).not.toBe(of("search", { query: "b", folder: "in" }, undefined, true));
    expect(search({})).toBeUndefined();
  });

  it("leaves out what is made for one call", () => {
    const order = (more: object) => of("get_order", { name: "a", ...more });

    expect(order({ request_id: "r-1" })).toBeDefined();
    expect(order({ request_id: "r-1" })).toBe(order({ request_id: "r-2" }));
    expect(order({ traceId: "t-1", etag: "e-1" })).toBe(order({ traceId: "t-2", etag: "e-2" }));
    expect(order({ request_id: "r-1" })).not.toBe(of("get_order", { name: "b", request_id: "r-1" }));
    expect(order({ order_id: "r-1" })).toBeUndefined();
  });

  it("is undefined where it says no more than the exact call", () => {
    expect(of("search", { query: "a" })).toBeUndefined();
    expect(of("get_user", { name: "a" })).toBeUndefined();
    expect(of("get_user", "a")).toBeUndefined();
    expect(of("get_user", [1])).toBeUndefined();
    expect(of("get_user", new Proxy({}, {}))).toBeUndefined();
  });

  it("of what is written or said is all of it: another text is another", () => {
    const edit = (text: string, more: object = {}) =>
      of("edit_file", { path: "a", old_string: "x", new_string: text, ...more });

    expect(edit("y")).toBeUndefined();
    expect(edit("y", { explanation: "one" })).toBe(edit("y", { explanation: "two" }));
    expect(edit("y", { explanation: "one" })).not.toBe(edit("z", { explanation: "one" }));
    expect(of("send_email", { body: "a", request_id: "1" })).toBe(of("send_email", { body: "a", request_id: "2" }));
  });

  it("of an action on a page is the same whatever number the element bears", () => {
    expect(of("browser_click", { element: "42" })).toBe(of("browser_click", { element: "57" }));
    expect(of("browser_click", { element: 42, button: "left" })).toBe(
      of("browser_click", { element: 57, button: "left" }),
    );
    expect(of("browser_click", { element: 42, button: "left" })).not.toBe(
      of("browser_click", { element: 57, button: "right" }),
    );
    expect(of("browser_click", { ref: "e52" })).toBe(of("browser_click", { ref: "f1e3" }));
    expect(of("browser_click", { text: "Add" })).toBeUndefined();
  });

  describe("by a rule", () => {
    it("is made of the declared arguments", () => {
      expect(of("deploy", { to: "live", at: 1 }, ["to"])).toBe(of("deploy", { at: 2, to: "live" }, ["to"]));
      expect(of("deploy", { to: "live" }, ["to"])).not.toBe(of("deploy", { to: "test" }, ["to"]));
      expect(of("deploy", { to: "live" }, ["to"])).not.toBe(of("ship", { to: "live" }, ["to"]));
    });

    it("is what a function returns", () => {
      const byHost: DeclaredIdentity = (args) => new URL((args as { url: string }).url).host;

      expect(of("fetch", { url: "https://a.org/1" }, byHost)).toBe(of("fetch", { url: "https://a.org/2" }, byHost));
      expect(of("fetch", { url: "https://a.org/1" }, byHost)).not.toBe(of("fetch", { url: "https://b.org/1" }, byHost));
    });

    it("is undefined where nothing declared is there", () => {
      expect(of("deploy", { at: 1 }, ["to"])).toBeUndefined();
      expect(of("deploy", "live", ["to"])).toBeUndefined();
      expect(of("deploy", {}, () => undefined)).toBeUndefined();
      expect(of("deploy", {}, () => Symbol("s"))).toBeUndefined();
    });
  });
});

describe("plainPath", () => {
  it.each([
    ["a/b", "a/b"],
    ["./a//b/", "a/b"],
    ["././a", "a"],
    ["a\\b\\c", "a/b/c"],
    ["/", "/"],
    ["/a/", "/a"],
    ["", ""],
  ])("of %j is %j", (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });
});
