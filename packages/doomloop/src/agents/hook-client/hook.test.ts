import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeHostileWorkspace } from "../../../../../test/hostile-workspace.ts";
import { residentStatus, stopResident } from "../../service/resident-status.ts";
import { claudeCodeHook } from "../claude-code/hook.ts";
import { readAgentEvents } from "../hook/agent-events.ts";
import { readLog } from "../hook/intervention-log.ts";
import { hookCommand } from "../settings/hook-command.ts";
import { residentAddress } from "./resident-address.ts";

const isWindows = process.platform === "win32";
const agent = { name: "claude-code", hook: claudeCodeHook };
let root: string;
let state: string;
let work: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doomloop-hook-"));
  state = join(root, "state");
  work = join(root, "work");
  for (const folder of [state, work]) mkdirSync(folder, { mode: 0o700 });
});
afterEach(async () => {
  await stopResident(state);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

interface Shot {
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which it is too late. */
  readonly timeout?: number;
}

/** The command that init writes, with as much time as a slow machine needs to start the resident from its source. */
function commandOf(
  more: { readonly folder?: string; readonly node?: string; readonly isQuick?: boolean } = {},
): string {
  const { folder = import.meta.dirname, node = process.execPath, isQuick = false } = more;
  const command = hookCommand({ agent, node, folder, state, mode: "unattended", startsOver: false }, "posix");
  return isQuick ? command : patient(command);
}

function patient(command: string): string {
  return command.replace(" 1 'hook/", " 20 'hook/");
}

/** Runs the hook as an agent does, in the folder that it works in. */
function hook(event: object, { command = commandOf(), env = {}, timeout = 100_000 }: Shot = {}) {
  const { stdout, stderr, status, signal } = spawnSync("/bin/sh", ["-c", command], {
    cwd: work,
    input: JSON.stringify(event),
    env: { PATH: process.env.PATH, HOME: join(root, "home"), ...env },
    encoding: "utf8",
    timeout,
  });
  return { stdout, stderr, status, signal };
}

const SILENCE = { stdout: "", stderr: "", status: 0, signal: null };
const base = () => ({ session_id: "s1", transcript_path: "t.jsonl", cwd: work, permission_mode: "default" });
const call = (at: number) => ({ tool_name: "Bash", tool_input: { command: "cat x" }, tool_use_id: `t${at}` });
const before = (at: number) => ({ ...base(), hook_event_name: "PreToolUse", ...call(at) });
const after = (at: number) => ({
  ...base(),
  hook_event_name: "PostToolUse",
  ...call(at),
  tool_response: { stdout: "it's the same", stderr: "" },
});
/** What is said to some equal calls, one after the other. */
function said(laps: number, shot?: Shot): string[] {
  return Array.from({ length: laps }, (_, at) => {
    expect(hook(before(at), shot)).toEqual(SILENCE);
    const { stdout, ...rest } = hook(after(at), shot);
    expect({ ...rest, stdout: "" }).toEqual(SILENCE);
    return stdout;
  });
}
/** What went wrong in the resident. */
function faults(): string {
  const log = join(state, "resident.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}
const told = (answers: readonly string[]): boolean[] => answers.map((text) => text.includes("[doomloop]"));

describe.skipIf(isWindows)("the hook of a coding agent", () => {
  it("starts the resident with the first event, and answers that one, too", async () => {
    expect(told(said(3)), faults()).toEqual([false, false, true]);
    expect(faults()).toBe("");
    await expect.poll(() => residentStatus(state)).toMatchObject({ events: 6, missed: 0, sessions: 1 });
  });

  it("is silent to another program that runs it, and counts its events, those before a resident ran, too", async () => {
    const other = { timestamp: "2026-02-09T10:30:00.000Z", cwd: work, sessionId: "s1", hookEventName: "PreToolUse" };
    expect(hook({ ...other, transcript_path: "t.json", ...call(1) })).toEqual(SILENCE);
    expect(hook({ ...other, transcript_path: null, ...call(2) })).toEqual(SILENCE);
    const status = await residentStatus(state);

    expect(readAgentEvents(state, Date.now(), status?.unsaved)["claude-code"]?.unreadable.count, faults()).toBe(2);
    await stopResident(state);
    await expect.poll(() => readAgentEvents(state, Date.now())["claude-code"]?.unreadable.count).toBe(2);
  });

  it("answers the event at which it finds that the resident was killed", async () => {
    said(1);
    const { pid } = (await residentStatus(state))!;
    process.kill(pid, "SIGKILL");
    await expect.poll(() => residentStatus(state)).toBeUndefined();
    expect(existsSync(residentAddress(state))).toBe(true);

    expect(told(said(3))).toEqual([false, false, true]);
    await expect.poll(async () => (await residentStatus(state))?.events).toBe(6);
  });

  it("goes on soon where the resident is stopped, and another one takes its place", async () => {
    said(1);
    const { pid } = (await residentStatus(state))!;
    process.kill(pid, "SIGSTOP");
    let slowestMs = 0;
    await expect
      .poll(
        async () => {
          const start = performance.now();
          expect(hook(before(9), { command: commandOf({ isQuick: true }) })).toEqual(SILENCE);
          slowestMs = Math.max(slowestMs, performance.now() - start);
          return (await residentStatus(state))?.pid ?? pid;
        },
        { timeout: 60_000 },
      )
      .not.toBe(pid);

    expect(slowestMs).toBeLessThan(15_000);
    expect(told(said(3))).toEqual([false, false, true]);
    // Once it can, the first one sees that it was replaced, and ends.
    process.kill(pid, "SIGCONT");
    await expect.poll(() => existsSync(`/proc/${pid}/fd/0`)).toBe(false);
  });

  it("starts one resident where many events come at once", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const child = spawn("/bin/sh", ["-c", commandOf()], { cwd: work, env: {}, stdio: ["pipe", "pipe", "pipe"] });
        child.stdin.end(JSON.stringify({ ...before(at), session_id: `s${at}` }));
        return new Promise((resolve) => child.on("close", resolve));
      }),
    );

    expect(outcomes).toEqual(Array(12).fill(0));
    await expect.poll(() => residentStatus(state)).toMatchObject({ events: 12, sessions: 12 });
  });

  it.each([
    ["Perl", "/usr/bin/perl", (script: string) => script.replaceAll("/bin/curl", "/bin/no-curl")],
    ["curl", "/usr/bin/curl", (script: string) => script.replaceAll("/bin/perl", "/bin/no-perl")],
  ])("asks with %s alone, also about a long event", async (_, program, change) => {
    if (!existsSync(program)) return;
    said(1);
    // Without the program for Node, nobody else asks.
    const folder = join(root, "hook-client");
    mkdirSync(folder);
    writeFileSync(join(folder, "hook.sh"), change(readFileSync(join(import.meta.dirname, "hook.sh"), "utf8")));
    copyFileSync(join(import.meta.dirname, "ask-resident.pl"), join(folder, "ask-resident.pl"));
    const command = commandOf({ folder });

    expect(told(said(2, { command }))).toEqual([false, true]);
    hook({ ...after(9), tool_response: { stdout: "ü".repeat(1_500_000), stderr: "" } }, { command });
    await expect.poll(() => residentStatus(state)).toMatchObject({ events: 7, missed: 0 });
    await stopResident(state);
    expect(hook(before(9), { command })).toEqual(SILENCE);
  });

  it("says nothing in a run that is told to go without", async () => {
    expect(said(3, { env: { DOOMLOOP: "off" } })).toEqual(["", "", ""]);
    expect(await residentStatus(state)).toBeUndefined();
  });

  it("hands over what the agent's environment says, if it is a plain word", async () => {
    const command = patient(
      hookCommand({ agent, node: process.execPath, folder: import.meta.dirname, state, startsOver: false }, "posix"),
    );
    for (const [at, entry] of ["sdk-cli", 'x&mode=unattended"; touch y; "', "cli"].entries())
      hook({ ...before(at), session_id: `${at}` }, { command, env: { CLAUDE_CODE_ENTRYPOINT: entry } });

    expect(readdirSync(work)).toEqual([]);
    await expect.poll(() => residentStatus(state)).toMatchObject({ events: 3, sessions: 3 });
  });
});

describe.skipIf(isWindows)("whatever happens to Node, to the package or to the state, a hook", () => {
  const fake = (text: string): string => {
    const path = join(root, "fake-node");
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  };

  it.each([
    ["is gone", () => commandOf({ node: "/nonexistent/node" })],
    ["fails", () => commandOf({ node: fake("exit 1") })],
    ["prints garbage and fails", () => commandOf({ node: fake('echo \'{"decision":"block"}\'; exit 2') })],
    ["prints garbage", () => commandOf({ node: fake('echo \'{"decision":"block"}\'') })],
    ["is no program", () => commandOf({ node: "/etc/hostname" })],
    ["is a folder", () => commandOf({ node: "/tmp" })],
  ])("ends well where Node %s", (_, command) => {
    expect(hook(before(1), { command: command() })).toEqual(SILENCE);
  });

  it("ends well, and soon, where Node hangs", () => {
    const node = fake("sleep 300");
    const command = hookCommand({ agent, node, folder: import.meta.dirname, state, startsOver: false }, "posix");
    const start = performance.now();

    expect(hook(before(1), { command })).toEqual(SILENCE);
    // A second, and two for the resident.
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  it("does not start a Node that hangs again for a minute", () => {
    const runs = join(root, "runs");
    const node = fake(`echo run >>'${runs}'; sleep 300`);
    const command = hookCommand({ agent, node, folder: import.meta.dirname, state, startsOver: false }, "posix");
    for (const at of [1, 2, 3]) expect(hook(before(at), { command })).toEqual(SILENCE);

    expect(readFileSync(runs, "utf8")).toBe("run\n");
  });

  it("does not wait for a resident that cannot start, even if it may wait for long", () => {
    mkdirSync(join(state, "run/socket"), { recursive: true, mode: 0o700 });
    const times = [1, 2, 3].map((at) => {
      const start = performance.now();
      expect(hook(before(at))).toEqual(SILENCE);
      return performance.now() - start;
    });

    // It may wait for 20 s.
    expect(Math.max(...times)).toBeLessThan(18_000);
    // The cause is noted once: nobody tried again.
    expect(faults().match(/EISDIR|directory/g)?.length, faults()).toBeLessThanOrEqual(3);
    expect(readdirSync(join(state, "run"))).toContain("failed");
  });

  it("starts the resident again a minute after it could not start", async () => {
    mkdirSync(join(state, "run"), { mode: 0o700 });
    writeFileSync(join(state, "run/failed"), "");
    expect(hook(before(1))).toEqual(SILENCE);
    expect(await residentStatus(state)).toBeUndefined();

    const aMinuteAgo = Date.now() / 1000 - 90;
    utimesSync(join(state, "run/failed"), aMinuteAgo, aMinuteAgo);
    expect(told(said(3)), faults()).toEqual([false, false, true]);
    expect(readdirSync(join(state, "run"))).not.toContain("failed");
  });

  it("works for a user that the system does not know, as in a container", async (context) => {
    const user = { uid: 54_321, gid: 54_321 };
    const isReadable = spawnSync("ls", [import.meta.dirname], user).status === 0;
    if (process.getuid?.() !== 0 || !isReadable) context.skip("no such user can be had");
    // The one that runs this may be in a folder of somebody else.
    const node = join(root, "node");
    copyFileSync(process.execPath, node);
    for (const folder of [root, state, work]) chownSync(folder, user.uid, user.gid);
    const answers = [before(0), after(0), before(1), after(1), before(2), after(2)].map(
      (event) =>
        spawnSync("/bin/sh", ["-c", commandOf({ node })], { ...user, cwd: work, env: {}, input: JSON.stringify(event) })
          .stdout,
    );

    expect(String(answers.at(-1)), faults()).toContain("[doomloop]");
  });

  it("ends well where the package is gone", () => {
    expect(hook(before(1), { command: commandOf({ folder: join(root, "gone/agents/hook-client") }) })).toEqual(SILENCE);
  });

  it.each([
    ["is gone", () => rmSync(state, { recursive: true })],
    [
      "is a file",
      () => {
        rmSync(state, { recursive: true });
        writeFileSync(state, "");
      },
    ],
    ["can be changed by others", () => chmodSync(state, 0o777)],
    ["holds another's files", () => mkdirSync(join(state, "run/socket"), { recursive: true })],
  ])("ends well where the state folder %s", (_, harm) => {
    harm();

    expect(hook(before(1), { command: commandOf({ isQuick: true }) })).toEqual(SILENCE);
  });

  it("ends well with an input that nobody expects", () => {
    for (const input of ["", "{", "null", "\0\0", "x".repeat(100_000)]) {
      const { stdout, status } = spawnSync("/bin/sh", ["-c", commandOf()], {
        cwd: work,
        env: {},
        input,
        encoding: "utf8",
      });
      expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
    }
  });
});

describe.skipIf(isWindows)("what a repository can set", () => {
  /** Programs that would be found first, if the hook looked for them on the path. */
  function evilPath(): string {
    const bin = join(work, "bin");
    mkdirSync(bin);
    for (const name of ["cat", "curl", "env", "node", "perl", "sh", "printf", "sleep", "git"])
      writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${join(root, "was-run")}\n`, { mode: 0o755 });
    return bin;
  }

  it("changes neither what the hook loads, nor where it keeps state, nor whom it talks to", async () => {
    makeHostileWorkspace(work);
    const curlrc = `url = "file:///etc/hostname"\noutput = "${join(root, "was-run")}"\n`;
    writeFileSync(join(work, ".curlrc"), curlrc);
    writeFileSync(join(work, "run_me.pm"), `open my $mark, ">", "${join(root, "was-run")}"; 1;\n`);
    const env = {
      PATH: `${evilPath()}:.:${process.env.PATH}`,
      XDG_STATE_HOME: ".state",
      HOME: work,
      NODE_OPTIONS: "--require ./run-me.cjs",
      NODE_PATH: work,
      CURL_HOME: work,
      PERL5LIB: work,
      PERL5OPT: "-Mrun_me",
      http_proxy: "http://127.0.0.1:1",
      ALL_PROXY: "socks5://127.0.0.1:1",
      IFS: "/",
      ENV: join(work, "run-me.sh"),
      PS4: `$(touch ${join(root, "was-run")})`,
    };

    expect(told(said(3, { env }))).toEqual([false, false, true]);
    expect(existsSync(join(root, "was-run"))).toBe(false);
    expect(existsSync(join(work, "was-run"))).toBe(false);
    expect(existsSync(join(work, ".state"))).toBe(false);
    expect(readLog(state)).toHaveLength(1);
  });

  it("is not even read by a hook", (context) => {
    const log = join(root, "calls");
    if (spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status !== 0) context.skip("strace does not run here");
    makeHostileWorkspace(work);
    hook(before(0));
    const strace = `strace -f -y -qq -e trace=%file -s 1000 -o ${log} `;
    expect(hook(after(0), { command: strace + commandOf() })).toEqual(SILENCE);
    const calls = readFileSync(log, "utf8").split("\n");

    expect(calls.filter((line) => line.includes("hook.sh")).length).toBeGreaterThan(0);
    // The folder itself may be looked up, and paths of its own are relative: what is asked for must be neither in it nor relative.
    expect(calls.filter((line) => line.includes(`${work}/`))).toEqual([]);
    expect(calls.filter((line) => /\((?:AT_FDCWD(?:<[^>]*>)?, )?"(?!\.")[^/"]/.test(line))).toEqual([]);
  });
});
