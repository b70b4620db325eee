import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runHookProgram } from "../agents/hook-program/run-hook-program.ts";
import { type HookServer, startHookServer } from "./hook-server.ts";
import { serverToken } from "./server-token.ts";

const isWindows = process.platform === "win32";
let state: string;
let server: HookServer;
let token: string;
let strangers: number;

beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
  ({ token } = serverToken(state));
  strangers = 0;
  server = await startHookServer({ state, port: 0, token, onStranger: () => void strangers++ });
});
afterEach(async () => {
  await server.close();
  rmSync(state, { recursive: true });
});

const event = (name: string, step: number, more: object = {}): string =>
  JSON.stringify({
    session_id: "session",
    transcript_path: "session.jsonl",
    cwd: state,
    permission_mode: "default",
    hook_event_name: name,
    tool_name: "Bash",
    tool_input: { command: "ls build" },
    tool_use_id: `call-${step}`,
    ...more,
  });
/** The first call that is refused in a loop that goes round in no time: 28 after the first words. */
const REFUSED = 31;
const result = { tool_response: { stdout: "nothing", stderr: "" } };

async function post(body: string, path = "/hook/claude-code", bearer = token, headers: object = {}) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  });
  const answer = (await response.json()) as { hookSpecificOutput?: { permissionDecision?: string } };
  return { status: response.status, answer };
}

describe("the server of hooks", () => {
  it("answers as the program does, and goes on where the program was", async () => {
    const words = ["--host", "claude-code"];
    const program = (text: string) => runHookProgram({ words, input: pieces(text), state, remainingMs: () => 10_000 });
    for (const step of [1, 2]) {
      expect(await program(event("PreToolUse", step))).toBe("");
      expect(await program(event("PostToolUse", step, result))).toBe("");
      expect(await program(event("PostToolBatch", step, { tool_calls: [] }))).toBe("");
    }

    expect(await post(event("PreToolUse", 3))).toEqual({ status: 200, answer: {} });
    expect(await post(event("PostToolUse", 3, result))).toMatchObject({
      status: 200,
      answer: { hookSpecificOutput: { additionalContext: expect.stringContaining("[doomloop]") } },
    });
  });

  it("refuses calls only where nobody watches", async () => {
    for (let step = 1; step < REFUSED; step++) {
      await post(event("PreToolUse", step), "/hook/claude-code?unattended=1");
      await post(event("PostToolUse", step, result), "/hook/claude-code?unattended=1");
      await post(event("PostToolBatch", step, { tool_calls: [] }), "/hook/claude-code?unattended=1");
    }

    expect((await post(event("PreToolUse", REFUSED), "/hook/claude-code?unattended=1")).answer).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
  });

  it.each([
    { entry: "cli", asked: "ask" },
    { entry: "sdk-cli", asked: undefined },
    { entry: "", asked: undefined },
    { entry: undefined, asked: undefined },
  ])("asks a person only where one is there: $entry", async ({ entry, asked }) => {
    const headers = entry === undefined ? {} : { "x-claude-code-entrypoint": entry };
    const tell = (body: string) => post(body, "/hook/claude-code", token, headers);
    for (let step = 1; step < REFUSED; step++) {
      await tell(event("PreToolUse", step));
      await tell(event("PostToolUse", step, result));
      await tell(event("PostToolBatch", step, { tool_calls: [] }));
    }

    expect((await tell(event("PreToolUse", REFUSED))).answer.hookSpecificOutput?.permissionDecision).toBe(asked);
  });

  it("tells who has no token nothing, and the user once", async () => {
    for (const bearer of ["", "wrong", `${token}x`])
      expect(await post(event("PreToolUse", 1), "/hook/claude-code", bearer)).toEqual({ status: 200, answer: {} });

    expect(strangers).toBe(1);
    expect(readdirSync(state)).toEqual(["serve-token"]);
  });

  it("says nothing to what it does not understand", async () => {
    const bodies = ["", "{", "null", "[]", '"x"', "{}", event("Unknown", 1), JSON.stringify({ session_id: [] })];
    for (const body of bodies) expect(await post(body)).toEqual({ status: 200, answer: {} });
    expect(await post(event("PreToolUse", 1), "/hook/unknown")).toEqual({ status: 200, answer: {} });
    expect(await post("{}", "/")).toEqual({ status: 404, answer: {} });
    expect(await post("{}", "/hook/../../x")).toEqual({ status: 404, answer: {} });
  });

  it("answers whoever sends too much", async () => {
    expect(await post(JSON.stringify({ text: "x".repeat(17_000_000) }))).toEqual({ status: 200, answer: {} });
    expect(await post(event("PreToolUse", 1))).toEqual({ status: 200, answer: {} });
  });

  it("is not stopped by who leaves in the middle of a request", async () => {
    for (const text of ["POST /hook/claude-code HTTP/1.1\r\n", "GARBAGE\r\n\r\n"]) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, "127.0.0.1", () => socket.write(text, () => socket.destroy()));
        socket.on("close", () => resolve());
      });
    }
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, "content-length": 100 };
      const sent = request({ port: server.port, method: "POST", path: "/hook/claude-code", headers }, () => {});
      sent.on("error", () => resolve());
      sent.write("{", () => sent.destroy(new Error("gone")));
    });

    expect(await post(event("PreToolUse", 1))).toEqual({ status: 200, answer: {} });
  });

  it("answers requests that come at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, step) => post(event("PreToolUse", step))));

    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

describe("the token", () => {
  it("is the same each time, and only its owner's", () => {
    const { file, token: again } = serverToken(state);

    expect(again).toBe(token);
    expect(readFileSync(file, "utf8").trim()).toBe(token);
    if (!isWindows) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
