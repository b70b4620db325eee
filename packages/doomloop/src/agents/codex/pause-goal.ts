import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { recordOf } from "../../transcripts/foreign-value.ts";

const PATIENCE_MS = 15_000;
/** What it answers is a few lines. More is not read. */
const MAX_ANSWER = 1_000_000;
const THREAD = /^[\w-]{1,64}$/;

const INITIALIZE = 1;
const PAUSE = 2;

/**
 * Pauses the goal of a session. Codex starts one turn after another for as long as a goal is active, and no answer of a hook keeps it from
 * that. A second Codex may pause the goal, and the first looks before each turn. `/goal resume` goes on.
 *
 * Returns whether a goal was paused. Never rejects.
 */
export function pauseGoal(session: string, program = "codex"): Promise<boolean> {
  if (!THREAD.test(session)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const isWindows = process.platform === "win32";
    // Not in the project, whose files are somebody else's.
    const child = spawn(program, ["app-server"], {
      cwd: homedir(),
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
      shell: isWindows,
    });
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    const end = (isPaused: boolean): void => {
      clearTimeout(timer);
      child.kill();
      resolve(isPaused);
    };
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    let text = "";
    child.on("error", () => end(false));
    child.on("exit", () => end(false));
    child.stdin.on("error", () => end(false));
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.length > MAX_ANSWER) end(false);
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const answer of lines.map(answerIn)) {
        if (answer?.id === INITIALIZE) {
          send({ method: "initialized" });
          send({ id: PAUSE, method: "thread/goal/set", params: { threadId: session, status: "paused" } });
        }
        if (answer?.id === PAUSE) end(answer.result !== undefined);
      }
    });
    const clientInfo = { name: "doomloop", title: "doomloop", version: "1" };
    const params = { clientInfo, capabilities: { experimentalApi: true } };
    send({ id: INITIALIZE, method: "initialize", params });
  });
}

function answerIn(line: string): { readonly id: unknown; readonly result: unknown } | undefined {
  try {
    const { id, result } = recordOf(JSON.parse(line)) ?? {};
    return { id, result };
  } catch {
    return undefined;
  }
}
