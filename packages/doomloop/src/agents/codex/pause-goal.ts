import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { homeFolder } from "../../system/home-folder.ts";
import { jsonIn, recordOf, recordsOf } from "../../transcripts/foreign-value.ts";
import type { WiredPlace } from "../coding-agent.ts";
import { findProgram } from "../settings/agent-place.ts";

const PATIENCE_MS = 15_000;
/** How long it may take to end by itself once nobody asks any more. */
const GRACE_MS = 2_000;
/** What it answers is a few lines. More is not read. */
const MAX_ANSWER = 1_000_000;
const MAX_PLACES = 4;
const MAX_AT_ONCE = 4;
const THREAD = /^[\w-]{1,64}$/;
/** Where installers put programs for one user. */
const USER_FOLDERS = [".local/bin", ".npm-global/bin", ".volta/bin", ".bun/bin"];
/** What npm's `codex.cmd` runs. Without a shell in between, no path has to be quoted. */
const NPM_SCRIPT = "node_modules/@openai/codex/bin/codex.js";

const HELLO = {
  id: 1,
  method: "initialize",
  params: {
    clientInfo: { name: "doomloop", title: "doomloop", version: "1" },
    capabilities: { experimentalApi: true },
  },
};
const PAUSE = { id: 2, method: "thread/goal/set" };

type AppServer = ChildProcessByStdio<Writable, Readable, null>;

let pausing = 0;

/**
 * Pauses the goal of a session. Codex starts one turn after another for as long as a goal is active, and no answer of a hook keeps it from
 * that. A second Codex may pause the goal, and the first looks before each turn. `/goal resume` goes on.
 *
 * A goal belongs to a `CODEX_HOME`. The event's own path is not believed: whoever can send us an event could have a program of theirs run with
 * it, outside of a sandbox. Only folders in which `init` has wired a hook are asked, and the usual one.
 *
 * Returns whether a goal was paused. Never rejects.
 */
export async function pauseGoal(
  session: string,
  wired: readonly WiredPlace[],
  patienceMs: number = PATIENCE_MS,
): Promise<boolean> {
  if (!THREAD.test(session) || pausing >= MAX_AT_ONCE) return false;
  pausing++;
  try {
    for (const place of placesOf(wired)) if (await pauseIn(place, session, patienceMs)) return true;
    return false;
  } catch {
    // There is no home folder, or no process can be started.
    return false;
  } finally {
    pausing--;
  }
}

/** The folders that may have the session, as far as they are there. */
function placesOf(wired: readonly WiredPlace[]): readonly WiredPlace[] {
  const usual = join(homeFolder(), ".codex");
  const others = wired.filter(({ folder }) => folder !== usual).slice(0, MAX_PLACES - 1);
  const places = [...others, wired.find(({ folder }) => folder === usual) ?? { folder: usual }];
  return places.filter(({ folder }) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
}

async function pauseIn({ folder, program }: WiredPlace, session: string, patienceMs: number): Promise<boolean> {
  const path = searchPath();
  const { platform } = process;
  const known = program !== undefined && existsSync(program) ? program : undefined;
  const file = known ?? findProgram("codex", { env: { PATH: path }, platform, home: homeFolder() }, process.cwd());
  const words = file === undefined ? undefined : commandFor(file);
  if (words === undefined) return false;
  const child = spawn(words[0]!, [...words.slice(1), "app-server"], {
    // Not in the project, whose files are somebody else's.
    cwd: folder,
    env: { ...process.env, PATH: path, CODEX_HOME: folder },
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
    // A group of its own, because npm's `codex` is a script that starts the real one.
    detached: platform !== "win32",
  });
  try {
    return await askToPause(child, session, patienceMs);
  } finally {
    endSoon(child);
  }
}

/** The resident's own path, and where users have programs. The script of npm needs Node, too. */
function searchPath(): string {
  const own = USER_FOLDERS.map((folder) => join(homeFolder(), folder));
  return [dirname(process.execPath), process.env.PATH ?? "", ...own].join(delimiter);
}

function commandFor(file: string): readonly string[] | undefined {
  if (!file.endsWith(".cmd")) return [file];
  const script = join(dirname(file), NPM_SCRIPT);
  return existsSync(script) ? [process.execPath, script] : undefined;
}

/** Asks a Codex that was just started. Resolves to false if it cannot be started, answers with an error or takes too long. */
function askToPause(child: AppServer, session: string, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patienceMs);
    const end = (isPaused: boolean): void => {
      clearTimeout(timer);
      resolve(isPaused);
    };
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    let text = "";
    let length = 0;
    for (const emitter of [child, child.stdin, child.stdout]) emitter.on("error", () => end(false));
    child.on("exit", () => end(false));
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      length += piece.length;
      if (length > MAX_ANSWER) return end(false);
      const lines = `${text}${piece}`.split("\n");
      text = lines.pop() ?? "";
      for (const { id, result } of recordsOf(lines.map(jsonIn))) {
        if (id === HELLO.id) {
          send({ method: "initialized" });
          send({ ...PAUSE, params: { threadId: session, status: "paused" } });
        }
        if (id === PAUSE.id) end(recordOf(recordOf(result)?.goal)?.status === "paused");
      }
    });
    send(HELLO);
  });
}

/** It ends when nobody asks any more. If it does not, it is killed, with what it has started. */
function endSoon(child: AppServer): void {
  child.stdin.end();
  child.stdout.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const timer = setTimeout(() => {
    try {
      if (process.platform === "win32") child.kill();
      else process.kill(-pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  }, GRACE_MS);
  child.once("exit", () => clearTimeout(timer));
}
