import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readFolderRules } from "./folder-rules.ts";
import { handleHookEvent } from "./handle-hook-event.ts";
import { statusLine } from "./status-line.ts";

let directory: string;
let isOff: boolean;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "doomloop-status-"));
  isOff = false;
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(directory, { recursive: true });
});

const base = { session_id: "s1", transcript_path: "/t.jsonl", cwd: "/work", permission_mode: "default" };
const tell = (hook_event_name: string, more: object, isUnattended = false): unknown =>
  handleHookEvent(
    { ...base, hook_event_name, ...more },
    {
      directory,
      host: "claude-code",
      isUnattended,
      rulesOf: readFolderRules,
      budgetMs: 1000,
      reportFault: (fault) => expect(fault).toBeUndefined(),
    },
  )?.output;

interface Step {
  readonly tool?: string;
  readonly command?: string;
  readonly output?: string;
  readonly isUnattended?: boolean;
}
let at = 0;
function step({ tool = "Bash", command = "cat notes.md", output = "nothing found", isUnattended = false }: Step = {}) {
  const call = { tool_name: tool, tool_input: { command }, tool_use_id: `t${++at}` };
  const refused = tell("PreToolUse", call, isUnattended) !== undefined;
  if (!refused) tell("PostToolUse", { ...call, tool_response: output }, isUnattended);
  tell("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, isUnattended);
}
const line = (input: unknown = { session_id: "s1", workspace: { current_dir: "/work" } }): string =>
  statusLine(input, { host: "claude-code", directory, rulesOf: () => readFolderRules({ isOff }) });

describe("the status line", () => {
  it("is empty before a hook has heard of the session, and for what is no input", () => {
    expect(line()).toBe("");
    for (const input of [undefined, 7, {}, { session_id: 7 }, { session_id: "other" }]) expect(line(input)).toBe("");
  });

  it("says that it watches, that there is a loop, and that it is over", () => {
    step();
    expect(line()).toBe("doomloop: watching");
    step();
    step();
    expect(line()).toBe("doomloop: loop, 3rd time (Bash)");
    step();
    expect(line()).toBe("doomloop: loop, 4th time (Bash)");
    step({ command: "ls", output: "notes.md" });
    expect(line()).toBe("doomloop: watching");
  });

  it("is over when the user speaks", () => {
    for (let count = 0; count < 3; count++) step();
    tell("UserPromptSubmit", { prompt: "go on" });
    expect(line()).toBe("doomloop: watching");
  });

  it("stays while calls are refused, and says when the run was ended", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const lines = Array.from({ length: 20 }, () => {
      vi.setSystemTime(Date.now() + 4_000);
      step({ isUnattended: true });
      return line();
    });

    // Calls are refused from the tenth on.
    expect(lines.slice(2, 19)).toEqual(
      Array(17).fill(expect.stringMatching(/^doomloop: loop, \d+(rd|th) time \(Bash\)$/)),
    );
    expect(lines[19]).toBe("doomloop: stopped a loop (Bash)");
  });

  it("shows no name that could be more than one", () => {
    const output = "There is nothing in this folder, and there was nothing in it when you looked before, either.";
    for (let count = 0; count < 3; count++) step({ tool: "\u001b[2Jx", output });
    expect(line()).toBe("doomloop: loop, 3rd time (one tool)");
  });

  it("says where hooks were told to be silent", () => {
    isOff = true;
    expect(line()).toBe("doomloop: off in this folder");
  });

  it("makes and changes nothing", () => {
    const absent = join(directory, "absent");
    expect(statusLine({ session_id: "s1" }, { host: "claude-code", directory: absent, rulesOf: readFolderRules })).toBe(
      "",
    );
    expect(existsSync(absent)).toBe(false);

    for (let count = 0; count < 3; count++) step();
    const look = (): unknown =>
      readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) => {
        const { size, mtimeMs } = statSync(join(directory, name));
        return [name, size, mtimeMs];
      });
    const before = look();
    line();
    expect(look()).toEqual(before);
  });
});
