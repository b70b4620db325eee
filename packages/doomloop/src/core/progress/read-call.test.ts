import { describe, expect, it } from "vitest";
import { type EffectKind, readCall } from "./read-call.ts";

const kindOf = (tool: string, args: unknown = {}): EffectKind => readCall(tool, args).effect.kind;

describe("a tool", () => {
  const byKind: Record<EffectKind, string[]> = {
    look: [
      "read_file",
      "readFile",
      "mcp__fs__read_file",
      "get_order",
      "list-files",
      "search",
      "web_fetch",
      "Grep",
      "find_user",
      "check_inventory",
      "think",
      "calculate",
      "view",
      "describe.table",
      "python",
      "sql_query",
    ],
    change: [
      "write_file",
      "editFile",
      "create_issue",
      "delete-row",
      "send_email",
      "apply_patch",
      "book_flight",
      "git_commit",
      "mcp__postgres__insert_row",
      "code_edit",
      "database_update",
      "update_page",
    ],
    page: ["click", "browser_click", "fill", "scroll", "navigate", "goto_url", "browser_type"],
    wait: ["wait", "sleep", "wait_for_build", "poll", "browser_wait_for"],
    delegate: ["task", "delegate_work", "spawn_agent"],
    unknown: ["frobnicate", "x", "", "reader", "submit_answer"],
  };
  const cases = (Object.keys(byKind) as EffectKind[]).flatMap((kind) =>
    byKind[kind].map((tool) => [tool, kind] as const),
  );

  it.each(cases)("named %j is a %s", (tool, kind) => {
    expect(kindOf(tool)).toBe(kind);
  });

  it.each(["scroll", "press", "browser_press_key", "page_down", "next"])("named %j moves along", (tool) => {
    expect(readCall(tool, {}).effect.isMoving).toBe(true);
    expect(readCall("click", {}).effect.isMoving).toBe(false);
  });

  it("shows a file if that is all it does, and searches one if it is told what for", () => {
    expect(readCall("read_file", { path: "a.ts", offset: 10 })).toMatchObject({
      file: "a.ts",
      effect: { isFileRead: true },
    });
    expect(readCall("grep", { path: "src", pattern: "retry" })).toMatchObject({
      file: undefined,
      effect: { isFileRead: false },
    });
  });

  it("may have any name", () => {
    for (const tool of ["constructor", "__proto__", "\ud800", "💥", "a".repeat(100_000)])
      expect(kindOf(tool)).toBe("unknown");
  });

  it.each<[string, object, EffectKind]>([
    ["calendar", { action: "list" }, "look"],
    ["calendar", { action: "create", title: "x" }, "change"],
    ["browser", { action: "click", ref: "e5" }, "page"],
    ["browser", { action: "wait", seconds: 5 }, "wait"],
    ["issues", { operation: "get", id: 7 }, "look"],
    ["http", { method: "DELETE", url: "/a" }, "change"],
    ["get_issue", { method: "update" }, "change"],
    ["calendar", { action: "frobnicate" }, "unknown"],
    ["get_issue", { action: "x".repeat(33) }, "look"],
    ["get_issue", { action: 7 }, "look"],
  ])("named %j with %j is a %s: an argument may say what it does", (tool, args, kind) => {
    expect(kindOf(tool, args)).toBe(kind);
  });

  it("does not become a shell by an argument", () => {
    expect(kindOf("get_log", { action: "exec", command: "rm -rf build" })).toBe("look");
  });

  it.each<[string, object, EffectKind]>([
    ["frobnicate", { path: "a.ts", content: "x" }, "change"],
    ["open_file", { path: "a.ts", new_string: "x" }, "change"],
    ["open_file", { path: "a.ts" }, "look"],
    ["frobnicate", { path: "a.ts", content: 7 }, "unknown"],
  ])("named %j with %j is a %s: it brings what is to be written, or does not", (tool, args, kind) => {
    expect(kindOf(tool, args)).toBe(kind);
  });
});

describe("a command", () => {
  it.each<[string, EffectKind]>([
    ["ls -la", "look"],
    ["cat a | grep b", "look"],
    ["git status", "look"],
    ["rm -rf build", "change"],
    ["echo x > a", "change"],
    ["git commit -m x", "change"],
    ["sleep 30", "wait"],
    ["./run.sh", "unknown"],
    ["", "look"],
  ])("%j is a %s", (command, kind) => {
    expect(kindOf("bash", { command })).toBe(kind);
  });

  it("is the same as a list of words and as text", () => {
    for (const command of ["cat src/a.ts", "npm test", "rm -rf build", "sleep 5"])
      expect(readCall("shell", { command: ["bash", "-lc", command] })).toEqual(readCall("shell", { command }));
  });

  it("tells of tests, of time and of several commands in one", () => {
    expect(readCall("bash", { command: "npm test" }).effect.isTest).toBe(true);
    expect(readCall("bash", { command: "sleep 2 && ls" }).effect.waitMs).toBe(2000);
    expect(readCall("bash", { command: "mkdir a; cd a" }).effect.isCompound).toBe(true);
  });

  it("tells of the file that it shows", () => {
    expect(readCall("bash", { command: "cat a.ts" }).file).toBe("a.ts");
    expect(readCall("read_file", { path: "a.ts" }).file).toBe("a.ts");
    expect(readCall("str_replace_editor", { command: "view", path: "a.ts" })).toMatchObject({
      file: "a.ts",
      effect: { kind: "look" },
    });
    expect(readCall("write_file", { path: "a.ts" }).file).toBeUndefined();
  });
});

describe("code and queries", () => {
  it.each<[string, unknown, EffectKind]>([
    ["python", { code: "print(1)" }, "look"],
    ["python", { code: "open('a', 'w').write('x')" }, "change"],
    ["run_javascript", { code: "fs.writeFileSync('a', 'x')" }, "change"],
    ["python", { code: "subprocess.run(['ls'])" }, "change"],
    ["sql", { query: "SELECT 1" }, "look"],
    ["sql", { query: "  with a as (select 1) select * from a" }, "look"],
    ["sql", { query: "UPDATE t SET a = 1" }, "change"],
    ["database", { sql: "drop table t" }, "change"],
    ["sql", { query: "vacuum" }, "unknown"],
    ["sql", {}, "look"],
  ])("%s %j is a %s", (tool, args, kind) => {
    expect(kindOf(tool, args)).toBe(kind);
  });
});

describe("a wait", () => {
  it.each([
    [{ seconds: 30 }, 30_000],
    [{ ms: 500 }, 500],
    [{ timeout_ms: 500 }, 500],
    [{ minutes: 2 }, 120_000],
    [{ duration: 5 }, 5000],
    [{ seconds: 1e12 }, 86_400_000],
    [{ seconds: -5 }, 0],
    [{ seconds: Number.NaN }, 0],
    [{ seconds: "30" }, 0],
    [{}, 0],
    [undefined, 0],
  ])("with %j asks for %i ms", (args, waitMs) => {
    expect(readCall("wait", args).effect.waitMs).toBe(waitMs);
  });
});
