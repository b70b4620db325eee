import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDoor } from "../../../../../test/hook-door.ts";
import { runOf } from "../hook/answer-event.ts";
import { readLog } from "../hook/intervention-log.ts";
import { HOOKED_AGENTS } from "../index.ts";
import { noteWired } from "../settings/wired-files.ts";
import { pauseGoal } from "./pause-goal.ts";

const SESSION = "01a1eeb4-f870-7000-8000-000000000000";
const isWindows = process.platform === "win32";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doomloop-goal-"));
  vi.stubEnv("HOME", root);
  vi.stubEnv("USERPROFILE", root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, maxRetries: 10 });
});

/** A program in place of Codex. test/hosts/codex has the real one. */
function programOf(script: string): string {
  const file = join(root, "codex");
  writeFileSync(file, `#!/bin/sh\necho $$ > '${root}/started'\n${script}\n`, { mode: 0o755 });
  return file;
}

describe.skipIf(isWindows)("a goal is not paused, and nothing is left running", () => {
  it.each([
    ["hangs", 'sleep 600 & echo $! > "$CODEX_HOME/child"; wait'],
    ["ends at once", "exit 3"],
    ["answers something else", 'read -r line; echo nonsense; echo \'{"id":1}\'; echo \'{"id":2,"error":{}}\'; cat'],
    ["never stops talking", "yes"],
  ])("if Codex %s", async (_, script) => {
    const program = programOf(script);

    expect(await pauseGoal(SESSION, [{ folder: root, program }], 500)).toBe(false);
    for (const name of ["started", "child"])
      await expect.poll(() => isRunning(join(root, name)), { timeout: 20_000 }).toBe(false);
  });

  it("if it cannot be started", async () => {
    writeFileSync(join(root, "codex"), "");

    expect(await pauseGoal(SESSION, [{ folder: root, program: join(root, "codex") }])).toBe(false);
  });

  it("if the session is no name of one", async () => {
    expect(await pauseGoal("--help; x", [{ folder: root, program: programOf("cat") }])).toBe(false);
    expect(existsSync(join(root, "started"))).toBe(false);
  });
});

describe("turns that Codex takes by itself", () => {
  const tellTurns = async (isActive: (turn: number) => boolean): Promise<string[]> => {
    const state = join(root, "state");
    mkdirSync(state, { mode: 0o700 });
    let now = Date.now();
    const door = openDoor(state, () => now);
    const event = {
      session_id: SESSION,
      cwd: root,
      model: "gpt-5",
      transcript_path: join(root, "evil/sessions/x.jsonl"),
    };
    await door.tell("hook/codex", { ...event, hook_event_name: "UserPromptSubmit", turn_id: "0", prompt: "Go." });
    for (let turn = 1; turn <= 20; turn++) {
      now += 5_000;
      await door.tell("hook/codex", {
        ...{ ...event, hook_event_name: "Stop", turn_id: String(turn) },
        ...{ stop_hook_active: isActive(turn), last_assistant_message: "I cannot go on." },
      });
    }
    const said = (): string[] => readLog(state).map((entry) => entry.said);
    await expect.poll(said).toContain("end");
    return said().filter((what) => what === "end" || what === "alarm");
  };

  it("are for the person to end if the goal cannot be paused", async () => {
    expect(await tellTurns(() => false)).toEqual(["end", "alarm"]);
  });

  it("are those of a goal, too, if a hook made the last one longer", async () => {
    expect(await tellTurns((turn) => turn % 4 === 0)).toEqual(["end", "alarm"]);
  });

  it("are over with the hook's answer if another hook asked for them", async () => {
    expect(await tellTurns((turn) => turn > 1)).toEqual(["end"]);
  });
});

describe.skipIf(isWindows)("a goal that is paused late", () => {
  it("counts from the first when it is resumed, whatever it did meanwhile", async () => {
    const state = join(root, "state");
    mkdirSync(state, { mode: 0o700 });
    const go = join(root, "go");
    const paused = JSON.stringify({ id: 2, result: { goal: { status: "paused" } } });
    const program = programOf(`until [ -e '${go}' ]; do sleep 0.05; done; echo '{"id":1}'; echo '${paused}'; cat`);
    noteWired(state, { host: "codex", path: join(root, "hooks.json"), program, commands: [] });
    let now = Date.now();
    const door = openDoor(state, () => now, 1);
    const turn = (): Promise<string> => {
      now += 5_000;
      return door.tell("hook/codex", {
        ...{ session_id: SESSION, cwd: root, model: "gpt-5", hook_event_name: "Stop", turn_id: String(now) },
        ...{ stop_hook_active: false, last_assistant_message: "I cannot go on." },
      });
    };
    for (let count = 1; count <= 22; count++) await turn();
    const codex = HOOKED_AGENTS.find(({ name }) => name === "codex")!;
    const isHalted = () => door.sessions.get(runOf(codex, { session: SESSION, agent: undefined }))?.turns?.isHalted;
    expect(isHalted()).toBeUndefined();
    writeFileSync(go, "");
    await expect.poll(isHalted, { timeout: 20_000 }).toBe(true);

    expect([await turn(), await turn()]).toEqual(["", ""]);
    expect(await turn()).toContain("[doomloop]");
  });
});

/** Whether the process whose number is in a file is still there. */
function isRunning(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}
