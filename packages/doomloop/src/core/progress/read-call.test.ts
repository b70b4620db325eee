import { describe, expect, it } from "vitest";
import type { Act } from "../reading.ts";
import { readCall, shellCommand } from "./read-call.ts";

const actOf = (tool: string, args: unknown = {}, changes?: boolean): Act => readCall(tool, args, changes).reading.act;
const ofShell = (command: string) => readCall("bash", { command });

describe("a tool", () => {
  const byAct: Record<Act, string[]> = {
    looks: ["read_file", "readFile", "mcp__fs__read_file", "list-files", "Grep", "git_status", "recall_memory"],
    watches: [
      "get_order",
      "search",
      "web_fetch",
      "find_user",
      "check_inventory",
      "view",
      "sql_query",
      "screenshot",
      "deploy_status",
      "archive_search",
    ],
    steps: [
      "click",
      "browser_click",
      "scroll",
      "navigate",
      "goto_url",
      "browser_type",
      "mcp__postgres__insert_row",
      "restart_service",
      "frobnicate",
      "x",
      "",
      "reader",
      "submit_answer",
    ],
    runs: ["python", "notebook_cell"],
    writes: [
      "write_file",
      "editFile",
      "create_issue",
      "delete-row",
      "apply_patch",
      "git_commit",
      "code_edit",
      "database_update",
      "update_page",
      "update_status",
    ],
    says: ["send_email", "book_flight", "think", "todo_write", "create_ticket", "plan"],
    asks: ["task", "delegate_work", "spawn_agent", "ask_user"],
    measures: ["benchmark", "measure_latency"],
    waits: ["wait", "sleep", "wait_for_build", "poll", "browser_wait_for"],
  };
  const cases = (Object.keys(byAct) as Act[]).flatMap((act) => byAct[act].map((tool) => [tool, act] as const));

  it.each(cases)("named %j %s", (tool, act) => {
    expect(actOf(tool)).toBe(act);
  });

  it.each(["scroll", "press", "browser_press_key", "page_down", "next"])("named %j moves along", (tool) => {
    expect(readCall(tool, {}).reading.isMoving).toBe(true);
    expect(readCall("click", {}).reading.isMoving).toBe(false);
  });

  it("shows a file if that is all it does, and searches one if it is told what for", () => {
    expect(readCall("read_file", { path: "a.ts", offset: 10 })).toMatchObject({
      file: "a.ts",
      reading: { isFileRead: true, isFileOperation: true },
    });
    expect(readCall("grep", { path: "src", pattern: "retry" })).toMatchObject({
      file: undefined,
      reading: { isFileRead: false },
    });
  });

  it("watches what others may change, and looks at what only the run changes", () => {
    expect(readCall("search", { query: "retry" }).reading).toMatchObject({ act: "watches", isOutside: true });
    expect(readCall("search", { pattern: "retry" }).reading).toMatchObject({ act: "looks", isOutside: false });
    expect(readCall("search_code", { query: "retry" }).reading).toMatchObject({ act: "looks", isOutside: false });
  });

  it("puts a text into a page where it names one, and nothing where it clicks", () => {
    expect(readCall("fill", { ref: "e5", value: "Berlin" }).reading).toMatchObject({ isPage: true, bringsText: true });
    expect(readCall("click", { ref: "e5" }).reading).toMatchObject({ isPage: true, bringsText: false });
    expect(readCall("press", { text: "Enter" }).reading).toMatchObject({ isPage: true, bringsText: false });
  });

  it("may have any name", () => {
    for (const tool of ["constructor", "__proto__", "\ud800", "💥", "a".repeat(100_000)])
      expect(actOf(tool)).toBe("steps");
  });

  it.each<[string, object, Act]>([
    ["calendar", { action: "list" }, "watches"],
    ["calendar", { action: "create", title: "x" }, "writes"],
    ["browser", { action: "click", ref: "e5" }, "steps"],
    ["browser", { action: "wait", seconds: 5 }, "waits"],
    ["issues", { operation: "get", id: 7 }, "watches"],
    ["http", { method: "DELETE", url: "/a" }, "writes"],
    ["get_issue", { method: "update" }, "writes"],
    ["calendar", { action: "frobnicate" }, "steps"],
    ["get_issue", { action: "update the issue" }, "watches"],
    ["get_issue", { action: `update${"x".repeat(27)}` }, "watches"],
    ["get_issue", { action: 7 }, "watches"],
  ])("named %j with %j %s: an argument may say what it does", (tool, args, act) => {
    expect(actOf(tool, args)).toBe(act);
  });

  it("does not become a shell by an argument", () => {
    expect(actOf("get_log", { action: "exec", command: "rm -rf build" })).toBe("watches");
  });

  it.each<[string, object, Act]>([
    ["frobnicate", { path: "a.ts", content: "x" }, "writes"],
    ["open_file", { path: "a.ts", new_string: "x" }, "writes"],
    ["open_file", { path: "a.ts" }, "looks"],
    ["frobnicate", { path: "a.ts", content: 7 }, "steps"],
  ])("named %j with %j %s: it brings what is to be written, or does not", (tool, args, act) => {
    expect(actOf(tool, args)).toBe(act);
  });

  it("does what its host says, but for one that waits", () => {
    expect(actOf("write_file", {}, false)).toBe("looks");
    expect(actOf("create_issue", {}, false)).toBe("watches");
    expect(actOf("read_file", {}, true)).toBe("writes");
    expect(actOf("bash", { command: "rm a" }, false)).toBe("looks");
    expect(actOf("wait", {}, true)).toBe("waits");
    expect(actOf("click", {}, true)).toBe("steps");
  });
});

describe("a command", () => {
  it.each<[string, Act]>([
    ["ls -la", "looks"],
    ["cat a | grep b", "looks"],
    ["git status", "looks"],
    ["curl -s https://api/x", "watches"],
    ["kubectl get pods", "watches"],
    ["sleep 5; cat a.log", "watches"],
    ["rm -rf build", "writes"],
    ["echo x > a", "writes"],
    ["git commit -m x", "writes"],
    ["git push", "steps"],
    ["kubectl delete pod web-1", "steps"],
    ["npm test", "measures"],
    ["hyperfine ./a", "measures"],
    ["sleep 30", "waits"],
    ["./run.sh", "runs"],
    ["", "waits"],
    ["  ", "waits"],
  ])("%j %s", (command, act) => {
    expect(actOf("bash", { command })).toBe(act);
  });

  it("asks a terminal for what has come meanwhile if it is empty, whatever the tool is called", () => {
    expect(actOf("frobnicate", { command: "" })).toBe("waits");
    expect(actOf("frobnicate", { command: "x" })).toBe("steps");
  });

  it("is the same as a list of words and as text", () => {
    for (const command of ["cat src/a.ts", "npm test", "rm -rf build", "sleep 5"])
      expect(readCall("shell", { command: ["bash", "-lc", command] })).toEqual(readCall("shell", { command }));
  });

  it("tells of tests, of time, of several commands in one and of what goes on behind it", () => {
    expect(ofShell("npm test").reading.act).toBe("measures");
    expect(ofShell("sleep 2 && ls").reading.waitMs).toBe(2000);
    expect(ofShell("mkdir a; cd a").reading.isCompound).toBe(true);
    expect(ofShell("node server.js &").reading.isStarting).toBe(true);
    expect(ofShell("node server.js").reading).toMatchObject({ isCompound: false, isStarting: false });
  });

  it("tells of the file that it shows", () => {
    expect(ofShell("cat a.ts").file).toBe("a.ts");
    expect(readCall("read_file", { path: "a.ts" }).file).toBe("a.ts");
    expect(readCall("str_replace_editor", { command: "view", path: "a.ts" })).toMatchObject({
      file: "a.ts",
      reading: { act: "looks" },
    });
    expect(readCall("write_file", { path: "a.ts" }).file).toBeUndefined();
  });
});

describe("code", () => {
  it("runs where only the run sees it, whatever it does there", () => {
    for (const code of ["print(1)", "open('a', 'w').write('x')"])
      expect(readCall("python", { code }).reading).toMatchObject({
        act: "runs",
        isCode: true,
        isCompound: true,
        isOutside: false,
      });
  });
});

describe("a statement", () => {
  it.each<[string, object, Act]>([
    ["sql", { query: "SELECT 1" }, "watches"],
    ["run_it", { query: "SELECT 1" }, "watches"],
    ["get_rows", { query: "UPDATE t SET a = 1" }, "steps"],
    ["sql", { query: "vacuum" }, "watches"],
    ["sql", {}, "watches"],
  ])("of %s %j %s", (tool, args, act) => {
    expect(actOf(tool, args)).toBe(act);
  });
});

describe("a wait", () => {
  it("asks for as long as it says, and any other call for nothing", () => {
    expect(readCall("wait", { seconds: 30 }).reading.waitMs).toBe(30_000);
    expect(readCall("wait", undefined).reading.waitMs).toBe(0);
    expect(readCall("get_job", { seconds: 30 }).reading.waitMs).toBe(0);
  });
});

describe("shellCommand", () => {
  it("is found under several names, or as the arguments themselves", () => {
    for (const args of [{ command: "ls" }, { cmd: "ls" }, { script: "ls" }, { input: "ls" }, "ls"]) {
      expect(shellCommand("run_shell_command", args)).toBe("ls");
    }
    expect(shellCommand("bash", { command: ["bash", "-lc", "ls"] })).toBe("ls");
    expect(shellCommand("bash", { command: ["sh", "-c", "ls"] })).toBe("ls");
    expect(shellCommand("bash", { command: ["ls", "-la", "src"] })).toBe("ls -la src");
    expect(shellCommand("bash", { command: ["ls", 7] })).toBeUndefined();
    expect(shellCommand("bash", { command: [] })).toBeUndefined();
    expect(shellCommand("read_file", { command: "ls" })).toBeUndefined();
    expect(shellCommand("bash", { command: 7 })).toBeUndefined();
  });
});
