import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TRIAL_FIELD } from "../agents/doctor/agent-doctor.ts";
import { readAgentEvents } from "../agents/hook/agent-events.ts";
import { readLog } from "../agents/hook/intervention-log.ts";
import { pause, resume } from "../agents/hook/pause.ts";
import { askResident } from "../agents/hook-client/ask-resident.ts";
import { residentAddress } from "../agents/hook-client/resident-address.ts";
import { type Resident, type ResidentOptions, startResident } from "./resident.ts";
import { residentStatus, stopResident } from "./resident-status.ts";

const isWindows = process.platform === "win32";
let state: string;
let residents: Resident[];
let faults: unknown[];
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-resident-"));
  residents = [];
  faults = [];
});
afterEach(async () => {
  await Promise.all(residents.map((resident) => resident.end()));
  rmSync(state, { recursive: true, force: true });
});

async function start(more: Partial<ResidentOptions> = {}): Promise<Resident | undefined> {
  const resident = await startResident({
    state,
    version: "1.2.3",
    onFault: (fault) => void faults.push(fault),
    ...more,
  });
  if (resident !== undefined) residents.push(resident);
  return resident;
}

const eventOf = (name: string, step: number, more: object = {}): string =>
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
const RESULT = { tool_response: { stdout: "nothing", stderr: "" } };
const ask = (body: string, path = "/hook/claude-code", more: { readonly proves?: boolean } = {}) =>
  askResident({ state, path, body, timeoutMs: 20_000, ...more });
/** One call with its result: what was said to either. */
async function lap(step: number, path?: string, session = "session"): Promise<string> {
  const call = await ask(eventOf("PreToolUse", step, { session_id: session }), path);
  const result = await ask(eventOf("PostToolUse", step, { session_id: session, ...RESULT }), path);
  return `${call}${result}`;
}

describe("the resident guard", () => {
  it("answers events over its socket, and tells an agent of its loop at the third result", async () => {
    await start();
    const said = [await lap(1), await lap(2), await lap(3)];

    expect(said.map((text) => text.includes("[doomloop]"))).toEqual([false, false, true]);
    expect(readLog(state)).toMatchObject([
      { said: "words", host: "claude-code", session: "session", tool: "Bash", count: 3 },
    ]);
    if (!isWindows) expect(statSync(join(state, "run")).mode & 0o077).toBe(0);
  });

  it("has missed nothing at first, however the clock goes", async () => {
    let now = 1_000_000_000_000;
    await start({ now: () => ++now });

    expect((await residentStatus(state))?.missed).toBe(0);
  });

  it("keeps sessions apart that work at the same time", async () => {
    await start();
    const sessions = Array.from({ length: 64 }, (_, at) => `session-${at}`);
    const said = await Promise.all(
      sessions.map(async (session) => {
        const laps = [
          await lap(1, undefined, session),
          await lap(2, undefined, session),
          await lap(3, undefined, session),
        ];
        return laps.map((text) => text.includes("[doomloop]"));
      }),
    );

    expect(said).toEqual(sessions.map(() => [false, false, true]));
    const { sessions: live, events, missed } = (await residentStatus(state))!;
    expect({ live, events, missed, faults }).toEqual({ live: 64, events: 384, missed: 0, faults: [] });
  });

  it("is the only one: a second one sees it and does not begin", async () => {
    await start();

    expect(await start()).toBeUndefined();
    expect((await residentStatus(state))?.version).toBe("1.2.3");
  });

  it.skipIf(isWindows)("takes over the socket of one that was killed", async () => {
    mkdirSync(join(state, "run"), { mode: 0o700 });
    // A socket that nobody listens on any more.
    const dead = createServer().listen(join(state, "run", "other"));
    await new Promise((resolve) => dead.once("listening", resolve));
    const { renameSync } = await import("node:fs");
    renameSync(join(state, "run", "other"), residentAddress(state));
    dead.close();
    await start();

    expect(await residentStatus(state)).toMatchObject({ version: "1.2.3" });
  });

  it.skipIf(isWindows)("ends when its socket is gone or another's, and then saves nothing", async () => {
    const resident = await start();
    await lap(1);
    rmSync(residentAddress(state));
    await resident?.ended;

    expect(existsSync(join(state, "sessions"))).toBe(false);
  });

  it("goes on where the last one was when it is told to stop, and loses no count", async () => {
    await start();
    await lap(1);
    await lap(2);
    expect(await stopResident(state)).toMatchObject({ version: "1.2.3" });
    expect(await residentStatus(state)).toBeUndefined();
    await start();

    expect(await lap(3)).toContain("[doomloop]");
  });

  it("hands over to a newer version, and stays for an older one", async () => {
    const resident = await start();
    await ask(eventOf("PreToolUse", 1), "/hook/claude-code?v=1.2.2");
    await ask(eventOf("PreToolUse", 2), "/hook/claude-code?v=1.2.3");
    await ask(eventOf("PreToolUse", 3), "/hook/claude-code?v=nonsense");
    expect(await residentStatus(state)).toBeDefined();
    await ask(eventOf("PreToolUse", 4), "/hook/claude-code?v=1.10.0");
    await resident?.ended;

    expect(await residentStatus(state)).toBeUndefined();
    expect(readdirSync(join(state, "sessions"))).toHaveLength(1);
  });

  it("ends by itself when nobody has asked for a while", async () => {
    const resident = await start({ idleMs: 50 });
    await resident?.ended;

    expect(await residentStatus(state)).toBeUndefined();
  });

  it("counts too little after a crash, never too much", async () => {
    const first = await start();
    for (const step of [1, 2, 3]) await lap(step);
    // As if it had been killed: the file of the told session stays as it was saved then.
    const { cpSync } = await import("node:fs");
    cpSync(join(state, "sessions"), join(state, "kept"), { recursive: true });
    await lap(4);
    await first?.end();
    rmSync(join(state, "sessions"), { recursive: true });
    cpSync(join(state, "kept"), join(state, "sessions"), { recursive: true });
    await start();

    // Something may have changed in between, so what comes now is the first time.
    expect([await lap(5), await lap(6)].join("")).toBe("");
  });

  it.each([-86_400_000, 86_400_000])("tells of a loop although the clock jumps by %d ms", async (jump) => {
    let now = Date.now();
    await start({ now: () => now });
    const said = [await lap(1)];
    now += jump;
    said.push(await lap(2), await lap(3), await lap(4));

    expect(said.join("")).toContain("[doomloop]");
    expect(faults).toEqual([]);
  });

  it("says nothing while hooks are paused", async () => {
    await start();
    pause(state, undefined);
    for (const step of [1, 2, 3]) expect(await lap(step)).toBe("");
    resume(state, Date.now());

    expect([await lap(4), await lap(5), await lap(6)].map((text) => text !== "")).toEqual([false, false, true]);
  });

  it("says nothing to what it does not understand", async () => {
    await start();
    const bodies = ["", "{", "null", "[]", '"x"', "{}", eventOf("Unknown", 1), JSON.stringify({ session_id: [] })];
    for (const body of bodies) expect(await ask(body)).toBe("");
    expect(await ask(eventOf("PreToolUse", 1), "/hook/unknown")).toBe("");
    for (const path of ["/", "/hook/../../x", "//"]) expect(await ask("{}", path)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it("counts what it gets and cannot read for each agent, and nothing else", async () => {
    await start();
    // How VS Code tells of a call. It loads Claude Code's settings, too.
    const other = { sessionId: "s", hookEventName: "PreToolUse", tool_name: "run_in_terminal", tool_input: {} };
    for (const body of ["", "{", "null", "[]", "{}", eventOf("Unknown", 1), JSON.stringify(other)]) await ask(body);
    await ask(JSON.stringify(other), "/hook/copilot-cli");
    const ignored = eventOf("UserPromptSubmit", 1, { prompt: "a task has ended", source: "system" });
    for (const body of [ignored, eventOf("PreToolUse", 1), JSON.stringify({ ...other, [TRIAL_FIELD]: Date.now() })])
      await ask(body);
    const turn = { session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "" };
    await ask(JSON.stringify(turn), "/hook/qwen-code");
    const subagent = { taskId: "t", hookName: "agent_start", parent_agent_id: "a" };
    await ask(JSON.stringify(subagent), "/hook/cline");
    await ask("{}", "/hook/unknown");
    await ask("", "/status-line/claude-code");
    // What did not arrive as a whole is counted as missed.
    await leave("POST /hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await expect.poll(async () => (await residentStatus(state))?.missed).toBe(2);

    const known = readAgentEvents(state, Date.now(), (await residentStatus(state))?.unsaved);
    expect(known).toEqual({
      "claude-code": { unreadable: { count: 7, at: expect.any(Number) } },
      "copilot-cli": { unreadable: { count: 1, at: expect.any(Number) } },
    });
    await stopResident(state);
    expect(readAgentEvents(state, Date.now())).toEqual(known);
  });

  it("answers although nothing can be saved about what it cannot read", async () => {
    await start();
    mkdirSync(join(state, "events.json"));
    expect(await ask("{}")).toBe("");
    const said = [await lap(1), await lap(2), await lap(3)].join("");

    expect(said).toContain("[doomloop]");
    expect(faults).toHaveLength(1);
  });

  it.skipIf(isWindows)("says nothing to what it was asked before another one took its place", async () => {
    await start();
    await lap(1);
    await lap(2);
    await ask(eventOf("PreToolUse", 3));
    const body = eventOf("PostToolUse", 3, RESULT);
    const socket = connect(residentAddress(state));
    let answer = "";
    socket.on("data", (piece) => {
      answer += String(piece);
    });
    const closed = new Promise((resolve) => socket.on("close", resolve));
    await new Promise((resolve) => socket.on("connect", resolve));
    rmSync(residentAddress(state));
    expect(await start()).toBeDefined();
    socket.write(
      `POST /hook/claude-code HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await closed;

    expect(answer).toContain("content-length: 0");
    expect(readLog(state)).toEqual([]);
  });

  it("answers the next one after somebody sent too much, half an event, garbage, or nothing", async () => {
    await start();
    await lap(1);
    await lap(2);
    expect(await ask(JSON.stringify({ text: "x".repeat(5_000_000) }))).toBe("");
    for (const text of ["POST /hook/claude-code HTTP/1.1\r\n", "GARBAGE\r\n\r\n", ""]) await leave(text);
    await leave("POST /hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await expect.poll(async () => (await residentStatus(state))?.missed).toBe(2);

    // Nobody knows whose event it was. The third time would be told, but what was missed in between may have changed something.
    expect(await lap(3)).toBe("");
  });

  it("loses an event that is too long or incomplete only to its own session", async () => {
    await start();
    const file = {
      hook_event_name: "PostToolUse",
      tool_name: "Edit",
      tool_response: { originalFile: "x".repeat(5_000_000) },
    };
    const other = JSON.stringify({ ...JSON.parse(eventOf("PostToolUse", 1)), ...file, session_id: "other" });
    await lap(1);
    expect(await ask(other)).toBe("");
    await lap(2);
    expect((await residentStatus(state))?.missed).toBe(1);
    await leave(
      `POST /hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: ${other.length}\r\n\r\n{"session_id":"other",`,
    );
    await expect.poll(async () => (await residentStatus(state))?.missed).toBe(2);

    expect(await lap(3)).toContain("3 times");
  });

  it("takes words for unsaid that did not arrive", async () => {
    await start();
    await lap(1);
    await lap(2);
    await ask(eventOf("PreToolUse", 3));
    const body = eventOf("PostToolUse", 3, RESULT);
    // The agent is gone before the answer comes.
    await leave(
      `POST /hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await expect.poll(() => readLog(state).length).toBe(1);
    const said = [await lap(4), await lap(5), await lap(6)].join("");

    expect(said).toContain("3 times");
    expect(said).not.toContain("Loop:");
  });

  it.skipIf(isWindows)("does not begin where others could put something in its way", async () => {
    mkdirSync(join(state, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(state, "elsewhere"), join(state, "run"));

    await expect(start()).rejects.toThrow("a folder that only you can change is required");
    await expect(start({ state: join(state, "x".repeat(120)) })).rejects.toThrow("a shorter path is required");
  });
});

/** Sends something and goes away. */
function leave(text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(residentAddress(state), () => socket.write(text, () => socket.destroy()));
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });
}

describe("a resident that must be sure who asks", () => {
  it("answers who knows the secret of the state folder, and nobody else", async () => {
    await start({ proves: true });

    expect(await ask(eventOf("PreToolUse", 1), undefined, { proves: true })).toBe("");
    expect(await ask(eventOf("PreToolUse", 1), undefined, { proves: false })).toBeUndefined();
    writeFileSync(join(state, "run", "secret"), "f".repeat(64));
    expect(await ask(eventOf("PreToolUse", 1), undefined, { proves: true })).toBeUndefined();
  });

  it("is sent nothing if it does not know the secret itself", async () => {
    mkdirSync(join(state, "run"), { mode: 0o700 });
    writeFileSync(join(state, "run", "secret"), "f".repeat(64));
    const bodies: string[] = [];
    const squatter = createServer(async (request, response) => {
      for await (const piece of request) bodies.push(String(piece));
      response.end('{"nonce":"00","proof":"00"}');
    }).listen(residentAddress(state));
    await new Promise((resolve) => squatter.once("listening", resolve));

    expect(await ask("the arguments of a call", undefined, { proves: true })).toBeUndefined();
    expect(bodies).toEqual([]);
    await new Promise((resolve) => squatter.close(resolve));
  });
});

describe("the door for HTTP", () => {
  const token = "t".repeat(43);
  /** The first call of a loop that is refused. */
  const REFUSED = 10;
  let port: number;
  let strangers: number;
  beforeEach(async () => {
    strangers = 0;
    const resident = await start({ http: { port: 0, token, onStranger: () => void strangers++ } });
    port = resident!.port!;
  });

  async function post(body: string, path = "/hook/claude-code", bearer = token, headers: object = {}) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
    return { status: response.status, text: await response.text() };
  }

  it("knows the same sessions as the socket", async () => {
    await lap(1);
    await lap(2);
    expect(await post(eventOf("PreToolUse", 3))).toEqual({ status: 200, text: "" });

    expect((await post(eventOf("PostToolUse", 3, RESULT))).text).toContain("[doomloop]");
  });

  it.each([
    { seen: "cli,1", decision: "ask" },
    { seen: "sdk-cli,0", decision: "deny" },
    { seen: ",", decision: undefined },
    { seen: undefined, decision: undefined },
  ])("refuses where nobody watches, and asks only where somebody is there: $seen", async ({ seen, decision }) => {
    const headers = seen === undefined ? {} : { "x-doomloop-seen": seen };
    const tell = (body: string) => post(body, "/hook/claude-code", token, headers);
    for (let step = 1; step < REFUSED; step++) {
      await tell(eventOf("PreToolUse", step));
      await tell(eventOf("PostToolUse", step, RESULT));
      await tell(eventOf("PostToolBatch", step, { tool_calls: [] }));
    }
    const { text } = await tell(eventOf("PreToolUse", REFUSED));

    expect(/"permissionDecision":"(\w+)"/.exec(text)?.[1]).toBe(decision);
  });

  it("tells who has no token nothing", async () => {
    for (const bearer of ["", "wrong", `${token}x`])
      expect(await post(eventOf("PreToolUse", 1), "/hook/claude-code", bearer)).toEqual({ status: 200, text: "{}" });
    expect(strangers).toBe(3);
    expect((await residentStatus(state))?.events).toBe(0);
    for (const path of ["/status", "/stop", "/proof", "/status-line/claude-code"])
      expect((await post("{}", path)).status).toBe(404);
  });
});
