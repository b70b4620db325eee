import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../system/package-folder.ts";
import { proofOf, residentAddress, secretFile, startingFile } from "./resident-address.ts";

/** One question to the resident guard. */
export interface Question {
  /** The folder of what hooks keep. */
  readonly state: string;
  /** The Node that starts the resident if nobody listens. Undefined: it is not started. */
  readonly node?: string | undefined;
  readonly method?: "GET" | "POST";
  /** Path and query. */
  readonly path: string;
  readonly body?: string | Uint8Array;
  /** How long everything may take. */
  readonly timeoutMs: number;
  /**
   * Whether both sides prove that they know the secret of the state folder.
   * @default on Windows
   */
  readonly proves?: boolean;
}

/** How often to look whether a resident that was started is there. */
const PAUSE_MS = 15;
/** Another process may be starting the resident. After this time, it has failed. */
const STARTING_MS = 3_000;
const MAX_ANSWER_BYTES = 1_000_000;
const ABSENT = new Set<unknown>(["ENOENT", "ECONNREFUSED"]);
/** Programs that the resident starts, such as git, are looked for here. The agent's own path may be a repository's. */
const PATH = "/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";
const WINDOWS_VARIABLES = ["SystemRoot", "WINDIR", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "PATH"];

/**
 * Asks the resident guard, and starts it if nobody listens. Undefined if there is no answer in time. Then another one is started, too: it
 * ends if the one that is there answers after all, and takes its place otherwise. Never rejects.
 */
export async function askResident(question: Question): Promise<string | undefined> {
  const end = performance.now() + question.timeoutMs;
  const remaining = (): number => Math.max(1, end - performance.now());
  let isStarted = false;
  while (performance.now() < end) {
    const answer = await exchange(question, remaining());
    if (typeof answer === "string") return answer;
    if (answer.trouble === "failed" || question.node === undefined) return undefined;
    if (answer.trouble === "silence") return void start(question.state, question.node);
    if (!isStarted && !start(question.state, question.node)) return undefined;
    isStarted = true;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return undefined;
}

/** Why there is no answer. `absent`: nobody listens; `silence`: whoever listens says nothing. */
interface NoAnswer {
  readonly trouble: "absent" | "silence" | "failed";
}

/** Sends the question over one connection. */
function exchange(question: Question, timeoutMs: number): Promise<string | NoAnswer> {
  const socket = connect(residentAddress(question.state));
  return new Promise((resolve) => {
    const end = (answer: string | NoAnswer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ trouble: "silence" }), timeoutMs);
    socket.on("error", (error: NodeJS.ErrnoException) =>
      end({ trouble: ABSENT.has(error.code) ? "absent" : "failed" }),
    );
    socket.on("connect", () => {
      converse(socket, question).then(end, () => end({ trouble: "failed" }));
    });
  });
}

async function converse(socket: Socket, question: Question): Promise<string> {
  const { method = "POST", path, body = "", proves = process.platform === "win32" } = question;
  const read = reader(socket);
  if (!proves) {
    send(socket, method, path, body, ["Connection: close"]);
    return read();
  }
  const secret = readFileSync(secretFile(question.state), "utf8").trim();
  const nonce = process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
  send(socket, "GET", `/proof?nonce=${nonce}`, "", []);
  const { proof, nonce: theirs } = JSON.parse(await read()) as { proof: unknown; nonce: unknown };
  if (proof !== proofOf(secret, "resident", nonce)) throw new Error("the listener does not know the secret");
  send(socket, method, path, body, [
    `X-Doomloop-Proof: ${proofOf(secret, "client", `${theirs}`)}`,
    "Connection: close",
  ]);
  return read();
}

function send(
  socket: Socket,
  method: string,
  path: string,
  body: string | Uint8Array,
  headers: readonly string[],
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const head = [`${method} ${path} HTTP/1.1`, "Host: doomloop", `Content-Length: ${bytes.length}`, ...headers, "\r\n"];
  // With one write: the resident may have answered and gone before a second one.
  socket.write(Buffer.concat([Buffer.from(head.join("\r\n")), bytes]));
}

/** Reads one answer after the other. The resident always tells the length of its answers. */
function reader(socket: Socket): () => Promise<string> {
  let bytes = Buffer.alloc(0);
  let wake = (): void => {};
  let isOver = false;
  socket.on("data", (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    if (bytes.length > MAX_ANSWER_BYTES) socket.destroy();
    wake();
  });
  socket.on("close", () => {
    isOver = true;
    wake();
  });
  return async () => {
    for (;;) {
      const found = answerIn(bytes);
      if (found !== undefined) {
        bytes = bytes.subarray(found.end);
        return found.text;
      }
      if (isOver) throw new Error("the answer is not complete");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

function answerIn(bytes: Buffer): { readonly text: string; readonly end: number } | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const headers = bytes.toString("latin1", 0, head);
  if (!headers.startsWith("HTTP/1.1 200")) throw new Error("the resident refuses");
  const length = Number(/\r\ncontent-length: (\d{1,9})/i.exec(headers)?.[1] ?? Number.NaN);
  const start = head + 4;
  if (!(bytes.length - start >= length)) return undefined;
  return { text: bytes.toString("utf8", start, start + length), end: start + length };
}

/**
 * Starts the resident, in a process of its own that outlives this one and knows nothing of the agent's folder and environment. If another
 * process has just done that, it is only waited for. Returns whether it can be waited for.
 */
function start(state: string, node: string): boolean {
  try {
    if (isInForeignFolder(state)) return false;
    if (!isFirst(startingFile(state))) return true;
    const env =
      process.platform === "win32" ? windowsEnvironment() : { PATH, HOME: userInfo().homedir, LANG: "C.UTF-8" };
    const child = spawn(node, [residentProgram(), "--state", state], {
      detached: true,
      stdio: "ignore",
      cwd: state,
      env,
      windowsHide: true,
    });
    child.on("error", () => {});
    child.unref();
    return true;
  } catch (error) {
    // The state folder cannot be written to. Then there is no guard, and nothing to wait for.
    return (error as NodeJS.ErrnoException).code === "EEXIST";
  }
}

/** Whether this is root in a folder of somebody else. That user could not write to what root makes there. */
function isInForeignFolder(path: string): boolean {
  if (process.geteuid?.() !== 0) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? isInForeignFolder(dirname(path)) : stats.uid !== 0;
}

/** The file of the resident's program. The source runs as it is. */
function residentProgram(): string {
  const [folder, ending] = import.meta.url.endsWith(".ts") ? ["src", "ts"] : ["dist", "js"];
  return fileURLToPath(new URL(`${folder}/service/resident-program.${ending}`, packageFolder));
}

/** Whether nobody else has begun to start it lately. */
function isFirst(path: string): boolean {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < STARTING_MS) return false;
  rmSync(path, { force: true });
  closeSync(openSync(path, "wx", 0o600));
  return true;
}

function windowsEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(WINDOWS_VARIABLES.map((name) => [name, process.env[name]]));
}
