import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { HOOKED_AGENTS } from "../../packages/doomloop/src/agents/index.ts";
import { hookCommand } from "../../packages/doomloop/src/agents/settings/hook-command.ts";
import { residentStatus, stopResident } from "../../packages/doomloop/src/service/resident-status.ts";
import { sessionInput } from "./session-input.ts";

/**
 * How long a coding agent waits for a hook, against clients that only connect to a socket, send the same event, and end. Needs a build.
 *
 *     npm run bench hook -- 200
 *
 * All take turns within one run, so that whoever else is at work on the machine meets all of them. Then 64 sessions that go in circles, 16
 * events at a time: each must be told, and no event may take longer than a second.
 */
const rounds = Number(process.argv[2] ?? 100);
const SESSIONS = 64;
const AT_ONCE = 16;
const LAPS = 5;
const WARM_UP = 5;
const CURL = "/usr/bin/curl";

const root = mkdtempSync(join(tmpdir(), "doomloop-bench-hook-"));
const state = join(root, "state");
const folder = resolve(import.meta.dirname, "../../packages/doomloop/dist/agents/hook-client");
const [agent] = HOOKED_AGENTS.filter(({ name }) => name === "claude-code");
const commandIn = (place: string): string =>
  hookCommand({ agent: agent!, node: process.execPath, folder: place, state, startsOver: false }, "posix");
const command = commandIn(folder);
const socket = join(root, "constant");
const client = join(root, "client.cjs");

/** A server that answers every request with nothing, in a process of its own. */
const SERVER = `require("node:http").createServer((q, r) => { q.resume(); q.on("end", () => r.end()); }).listen(${JSON.stringify(socket)});`;
/** A client that does nothing but ask. */
const CLIENT = `const s = require("node:net").connect(${JSON.stringify(socket)}); let b = []; process.stdin.on("data", (d) => b.push(d)).on("end", () => { const t = Buffer.concat(b); s.write("POST / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nContent-Length: " + t.length + "\\r\\n\\r\\n" + t); }); s.on("data", () => {}); s.on("close", () => process.exit(0));`;

interface Contestant {
  readonly name: string;
  readonly line: string;
  readonly times: number[];
}

let server: ChildProcess | undefined;
try {
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(client, CLIENT);
  server = spawn(process.execPath, ["-e", SERVER], { stdio: "ignore" });
  await until(() => canConnect(socket));
  const curl = `${CURL} -q -s --noproxy '*' --max-time 1 --unix-socket ${socket} -H 'Expect:' --data-binary @- http://x/`;
  const program = `${process.execPath} ${join(folder, "main.js")} ${state} ${process.execPath} 1 'hook/claude-code?v=0'`;
  const script = readFileSync(join(folder, "hook.sh"), "utf8");
  writeFileSync(join(root, "hook.sh"), script.replaceAll("/usr/bin/perl", "/usr/bin/no-perl"));
  const contestants: Contestant[] = [
    { name: "a shell that does nothing", line: ":", times: [] },
    { name: "Perl alone", line: `/usr/bin/perl -f ${join(folder, "ask-resident.pl")} ${socket} 1 x`, times: [] },
    { name: "hook", line: command, times: [] },
    { name: "curl alone", line: curl, times: [] },
    { name: "hook without Perl", line: commandIn(root), times: [] },
    { name: "Node client alone", line: `${process.execPath} ${client}`, times: [] },
    { name: "hook without Perl and curl", line: program, times: [] },
  ];
  spawnSync("/bin/sh", ["-c", command], { input: sessionInput("PreToolUse", 0) });
  await until(async () => (await residentStatus(state)) !== undefined);
  for (let round = -WARM_UP; round < rounds; round++) for (const one of contestants) await time(one, round);
  for (const { name, times } of contestants) console.log(`${name.padEnd(27)} ${figures(times)}`);
  await manySessions();
} finally {
  server?.kill();
  await stopResident(state);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

async function time({ line, times }: Contestant, round: number): Promise<void> {
  const input = sessionInput(round % 2 === 0 ? "PreToolUse" : "PostToolUse", Math.floor(round / 2));
  const { milliseconds } = await shot(line, input);
  if (round >= 0) times.push(milliseconds);
}

function shot(line: string, input: string): Promise<{ readonly stdout: string; readonly milliseconds: number }> {
  const start = performance.now();
  const child = spawn("/bin/sh", ["-c", line], { stdio: ["pipe", "pipe", "ignore"], env: { PATH: process.env.PATH } });
  let stdout = "";
  child.stdout.on("data", (piece) => (stdout += piece));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done) => child.on("close", () => done({ stdout, milliseconds: performance.now() - start })));
}

async function manySessions(): Promise<void> {
  const times: number[] = [];
  let told = 0;
  const one = async (session: number): Promise<void> => {
    let hasHeard = false;
    for (let lap = 0; lap < LAPS; lap++) {
      for (const event of ["PreToolUse", "PostToolUse"] as const) {
        const input = JSON.parse(sessionInput(event, 7).replace("npm test -- part-7", "cat notes.md")) as object;
        const told = JSON.stringify({ ...input, session_id: `session-${session}`, tool_use_id: `toolu_${lap}` });
        const { stdout, milliseconds } = await shot(command, told);
        times.push(milliseconds);
        hasHeard ||= stdout.includes("[doomloop]");
      }
    }
    if (hasHeard) told++;
  };
  const waiting = Array.from({ length: SESSIONS }, (_, at) => at);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
    }),
  );
  const late = times.filter((each) => each > 1000).length;
  console.log(
    `${SESSIONS} sessions, ${AT_ONCE} events at a time: ${told} told, ${late} of ${times.length} events took over a second; ${figures(times)}`,
  );
}

async function canConnect(path: string): Promise<boolean> {
  return spawnSync(CURL, ["-s", "--unix-socket", path, "http://x/"]).status === 0;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function figures(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
  return `half ${at(0.5)} ms, 90 % ${at(0.9)} ms, 99 % ${at(0.99)} ms, all ${at(1)} ms`;
}
