import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { readCall } from "../progress/read-call.ts";
import type { DeclaredIdentity } from "../tool-rule.ts";
import { fingerprintOf, plainPath } from "./fingerprint.ts";

function of(tool: string, args: unknown, declared?: DeclaredIdentity): string | undefined {
  const { effect, file, substance } = readCall(tool, args);
  return fingerprintOf({ tool, args, kind: effect.kind, file, substance }, declared, platform);
}
const shell = (command: string): string | undefined => of("bash", { command });

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

  it("is made of the primary arguments where there are others", () => {
    expect(of("search", { query: "a", nonce: 1 })).toBe(of("search", { query: "a", nonce: 2 }));
    expect(of("search", { query: "a", nonce: 1 })).not.toBe(of("search", { query: "b", nonce: 1 }));
    expect(of("search", { query: "a", nonce: 1 })).not.toBe(of("lookup", { query: "a", nonce: 1 }));
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

  it("is undefined for changes: another change of the same thing is another", () => {
    expect(of("edit_file", { path: "a", old_string: "x", new_string: "y" })).toBeUndefined();
  });

  it("of an action on a page is the same whatever number the element bears", () => {
    expect(of("browser_click", { element: "42" })).toBe(of("browser_click", { element: "57" }));
    expect(of("browser_click", { element: 42, button: "left" })).toBe(
      of("browser_click", { element: 57, button: "left" }),
    );
    expect(of("browser_click", { element: 42, button: "left" })).not.toBe(
      of("browser_click", { element: 57, button: "right" }),
    );
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
