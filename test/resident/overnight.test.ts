import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readLog } from "../../packages/doomloop/src/agents/hook/intervention-log.ts";
import { openDoor, type TestDoor } from "../hook-door.ts";
import { seededDraw } from "../seeded-draw.ts";

const SESSIONS = 20;
const FEATURES = 4;
/** The longest that an agent goes on in a circle, in calls. */
const STUBBORN = 60;
/** A call every few seconds. */
const CALL_MS = 4_000;
/** One of so many calls finds that the resident was killed, or that it has ended and another has begun. */
const KILLED_EVERY = 150;
const NOTES = "what I think about it, not committed\n";
const FAILS = "1 failed: expected 3, got 4";

let home: string;
let state: string;
const before = { HOME: process.env.HOME };
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-night-")));
  state = join(home, "state");
  process.env.HOME = home;
});
afterEach(() => {
  Object.assign(process.env, before);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** What an agent does next: a call, what it comes to, and what it does to the files. */
interface Move {
  readonly tool: string;
  readonly input: object;
  readonly output: string;
  readonly isError?: boolean;
  effect?(): void;
}

interface Night {
  readonly name: string;
  readonly folder: string;
  readonly isHonest: boolean;
  /** How its hook was wired. */
  readonly wiring: string;
  readonly moves: Move[];
  /** What was said at each event at which something was. */
  readonly said: string[];
  isOver: boolean;
}

const run = (command: string, output: string, isError = false): Move => ({
  tool: "Bash",
  input: { command },
  output,
  isError,
});
const write = (folder: string, name: string, content: string): Move => ({
  tool: "Write",
  input: { file_path: join(folder, name), content },
  output: "written",
  effect: () => writeFileSync(join(folder, name), content),
});

/** A folder with work that the user has not committed, if it is a repository at all. */
function workspaceOf(name: string, isRepository: boolean): string {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "parser.ts"), "committed\n");
  const git = (...words: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder });
  const beginning = [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "begin"],
  ];
  if (isRepository) for (const words of beginning) expect(git(...words).status).toBe(0);
  writeFileSync(join(folder, "notes.md"), NOTES);
  return folder;
}

/** Good work, which tests confirm. Then every other agent runs into a wall, and stays there whatever it is told. */
function nightOf(at: number): Night {
  const name = `session-${at}`;
  const isHonest = at % 2 === 0;
  const canStartOver = at % 4 === 1;
  const wiring = `mode=unattended${canStartOver ? "&start-over=1" : ""}`;
  const folder = workspaceOf(name, canStartOver);
  const work = Array.from({ length: FEATURES }, (_, feature) => [
    write(folder, `feature-${feature}.ts`, `export const feature = ${feature};\n`),
    run("npm test", `${feature + 1} passed`),
    run(`sed -n ${feature * 40},${feature * 40 + 40}p parser.ts`, `lines from ${feature * 40}`),
  ]).flat();
  const honest = Array.from({ length: 12 }, (_, lap) => [
    run("sleep 30; gh run view 7", '{"status":"in_progress"}'),
    write(folder, "more.ts", `attempt ${lap}\n`),
    run("npm run lint", ""),
  ]).flat();
  const wall = Array.from({ length: STUBBORN }, () => run("npm test", FAILS, true));
  const moves = isHonest ? [...work, ...honest] : [...work, write(folder, "parser.ts", "worse\n"), ...wall];
  return { name, folder, isHonest, wiring, moves, said: [], isOver: false };
}

/** Tells the resident of an event, and notes what it says. */
async function tell({ name, folder, wiring, said }: Night, door: TestDoor, event: string, more: object) {
  const base = { session_id: name, transcript_path: "/t.jsonl", cwd: folder, hook_event_name: event };
  const answer = await door.tell(`hook/claude-code?${wiring}`, { ...base, ...more });
  if (answer !== "") said.push(answer);
  return answer;
}

/** The agent makes its next call, unless that is refused. */
async function move(night: Night, door: TestDoor): Promise<void> {
  const { name, moves } = night;
  const next = moves.shift();
  if (next === undefined) {
    night.isOver = true;
    return;
  }
  const { tool, input, output, isError = false, effect } = next;
  const about = { tool_name: tool, tool_input: input, tool_use_id: `${name}-${moves.length}` };
  if (!(await tell(night, door, "PreToolUse", about)).includes("deny")) {
    effect?.();
    if (isError) await tell(night, door, "PostToolUseFailure", { ...about, error: output });
    else await tell(night, door, "PostToolUse", { ...about, tool_response: { stdout: output, stderr: "" } });
  }
  const end = await tell(night, door, "PostToolBatch", { tool_calls: [{ ...about, tool_response: output }] });
  night.isOver ||= end.includes('"continue":false');
}

it("lets twenty sessions work through a night in which the resident is killed and replaced", async () => {
  const seed = Number(process.env.DOOMLOOP_PROPERTY_SEED) || Math.floor(Math.random() * 2 ** 31);
  const draw = seededDraw(seed);
  let now = Date.now() - 12 * 3_600_000;
  const begin = now;
  const doors = [openDoor(state, () => now)];
  const nights = Array.from({ length: SESSIONS }, (_, at) => nightOf(at));
  for (const night of nights) await tell(night, doors[0]!, "UserPromptSubmit", { prompt: "Build all of it." });
  for (let awake = nights; awake.length > 0; awake = awake.filter(({ isOver }) => !isOver)) {
    now += CALL_MS / awake.length;
    if (draw(KILLED_EVERY) === 0) {
      if (draw(2) === 0) doors.at(-1)!.sessions.handOver();
      doors.push(openDoor(state, () => now));
    }
    await move(awake[draw(awake.length)]!, doors.at(-1)!);
  }

  const entries = readLog(state, begin).filter(({ said }) => said !== "outcome");
  const note = `DOOMLOOP_PROPERTY_SEED ${seed}, ${doors.length} residents`;
  expect(
    doors.flatMap(({ faults }) => faults),
    note,
  ).toEqual([]);
  for (const { name, folder, isHonest, said } of nights) {
    const whose = `${note}, ${name}`;
    // Nothing that the user wrote is lost, and no work that tests confirmed.
    expect(readFileSync(join(folder, "notes.md"), "utf8"), whose).toBe(NOTES);
    for (let at = 0; at < FEATURES; at++) expect(existsSync(join(folder, `feature-${at}.ts`)), whose).toBe(true);
    // Nobody is told or blocked without a loop, and everybody is told of one.
    if (isHonest) expect(said, whose).toEqual([]);
    else expect(said.length, whose).toBeGreaterThan(0);
    // The log has all that was said, and the end of a run once.
    const ends = said.filter((answer) => /"continue":false|This run is stopped/.test(answer)).length;
    const noted = entries.filter(({ session }) => session === name).reduce((sum, { times = 1 }) => sum + times, 0);
    expect(noted, whose).toBe(said.length - Math.max(0, ends - 1));
  }
});
