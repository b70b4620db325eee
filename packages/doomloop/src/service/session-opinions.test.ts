import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDoor, type TestDoor } from "../../../../test/hook-door.ts";
import { type ScriptedAnswer, type ScriptedEndpoint, scriptedEndpoint } from "../../../../test/scripted-endpoint.ts";
import { TRIAL_FIELD } from "../agents/doctor/agent-doctor.ts";
import { runOf } from "../agents/hook/answer-event.ts";
import { readLog } from "../agents/hook/intervention-log.ts";
import { hookedAgentOf } from "../agents/index.ts";
import { forgetOpinion, type OpinionSetting, saveOpinion } from "./opinion-setting.ts";

const STUCK = '{"verdict":"stuck","since":0}';
const WORKING = '{"verdict":"working","since":null}';

let root: string;
let state: string;
let now: number;
let endpoints: ScriptedEndpoint[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "doomloop-opinions-"));
  state = join(root, "state");
  mkdirSync(state, { mode: 0o700 });
  now = Date.now() - 3_600_000;
  endpoints = [];
});
afterEach(async () => {
  await Promise.all(endpoints.map((endpoint) => endpoint.close()));
  rmSync(root, { recursive: true, force: true });
});

async function endpointThat(answer: ScriptedAnswer, more: Partial<OpinionSetting> = {}): Promise<ScriptedEndpoint> {
  const endpoint = await scriptedEndpoint(() => answer);
  endpoints.push(endpoint);
  saveOpinion(state, { url: endpoint.url, model: "small", shows: "text", ...more });
  return endpoint;
}

const open = (): TestDoor => openDoor(state, () => now);

interface Lap {
  readonly command: string;
  readonly output: string;
}
const HOOK = "hook/claude-code?mode=unattended";
const eventOf = (name: string, at: number, more: object): object => ({
  session_id: "session-1",
  transcript_path: "session.jsonl",
  permission_mode: "default",
  cwd: root,
  hook_event_name: name,
  tool_name: "Bash",
  tool_use_id: `call-${at}`,
  ...more,
});

/** One call with its result: what was said to either. */
async function lap(door: TestDoor, at: number, { command, output }: Lap): Promise<string> {
  const input = { tool_input: { command } };
  now += 2_500;
  const call = await door.tell(HOOK, eventOf("PreToolUse", at, input));
  if (call.includes('"deny"')) return call;
  now += 2_500;
  const more = { ...input, tool_response: { stdout: output, stderr: "" } };
  return `${call}${await door.tell(HOOK, eventOf("PostToolUse", at, more))}`;
}
/** The same, and every question that it raised has come to its end. */
async function calmLap(door: TestDoor, at: number, given: Lap): Promise<string> {
  const said = await lap(door, at, given);
  const { guard } = door.sessions.get(RUN) ?? {};
  if (guard !== undefined && "stats" in guard) await settled(guard.stats().opinions.asked);
  return said;
}
const RUN = runOf(hookedAgentOf({}, "claude-code")!, { session: "session-1", agent: undefined });
const settled = (count: number): Promise<void> =>
  vi.waitFor(() => expect(opinions().length).toBeGreaterThanOrEqual(count), { timeout: 15_000, interval: 10 });
const opinions = () => readLog(state).filter(({ said }) => said === "opinion");

/** Searches in ever other words that find what is known: no rule speaks of them for long. */
const searching = (at: number): Lap => ({
  command: `grep -rn "${["timeout", "deadline", "expiry", "limit", "patience"][at % 5]} ${at}" src`,
  output: `src/server.ts:${12 + (at % 3)}: retry()\nsrc/client.ts:${40 + (at % 3)}: retry()`,
});
const CLEAR: Lap = { command: "cat notes.txt", output: "bread, milk" };

describe("a second opinion for coding agents", () => {
  it("is asked after the answer, and gives its words with a later event", async () => {
    const { asked } = await endpointThat(STUCK, { key: "sk-1" });
    const door = open();
    await door.tell(HOOK, eventOf("UserPromptSubmit", 0, { prompt: "Find the timeout. password=hunter2hunter2" }));
    const said: string[] = [];
    for (let at = 0; at < 14; at++) said.push(await calmLap(door, at, searching(at)));

    expect(asked.length).toBeGreaterThan(0);
    expect(asked[0]).toMatchObject({ path: "/v1/chat/completions", authorization: "Bearer sk-1", model: "small" });
    expect(asked[0]?.message).toContain("Find the timeout.");
    expect(asked[0]?.message).not.toContain("hunter2");
    expect(said.join("")).toContain("A review saw no progress");
    expect(opinions()[0]).toMatchObject({
      host: "claude-code",
      session: "session-1",
      verdict: "stuck",
      why: "hunch",
      count: expect.any(Number),
      ms: expect.any(Number),
    });
    expect(door.faults).toEqual([]);
  });

  it("shows shapes only, if the user wants that", async () => {
    const { asked } = await endpointThat(WORKING, { shows: "shapes" });
    const door = open();
    await door.tell(HOOK, eventOf("UserPromptSubmit", 0, { prompt: "Find the timeout." }));
    for (let at = 0; at < 12; at++) await lap(door, at, searching(at));
    await settled(1);

    expect(asked[0]?.message).toContain("Bash(command=");
    expect(asked[0]?.message).not.toMatch(/timeout|server|retry|grep/);
    expect(opinions()[0]?.verdict).toBe("working");
  });

  it("keeps nothing of the session, of the answer and of the key in its log", async () => {
    await endpointThat(`canary-answer ${STUCK}`, { key: "canary-key" });
    const door = open();
    for (let at = 0; at < 12; at++) await lap(door, at, { ...searching(at), command: `grep canary-call-${at} src` });
    await settled(1);
    const files = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => /jsonl?$/.test(name));
    const texts = files
      .filter((name) => name !== "opinion.json")
      .map((name) => readFileSync(join(state, name), "utf8"))
      .join("\n");

    expect(texts).toContain('"said":"opinion"');
    expect(texts).not.toContain("canary");
  });

  it("is given up after its time, if the model talks instead of answering", async () => {
    const { asked } = await endpointThat("I think the agent is fine.");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const door = open();
    for (let at = 0; at < 10; at++) await lap(door, at, searching(at));
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(4_900);
    expect(opinions()).toEqual([]);
    vi.advanceTimersByTime(700);
    vi.useRealTimers();

    expect(opinions()).toMatchObject([{ verdict: "none" }]);
  });

  it.each<[string, ScriptedAnswer]>([
    ["always says that it works", WORKING],
    ["hangs", "hangs"],
    ["answers with garbage", "I think the agent is fine."],
    ["fails", { status: 500, body: "no" }],
  ])("changes nothing about a clear loop, if the model %s", async (_, answer) => {
    const run = async (door: TestDoor): Promise<string[]> => {
      // Somebody is asked about the beginning, and again later.
      for (let at = 0; at < 10; at++) await lap(door, at, searching(at));
      const said: string[] = [];
      for (let at = 10; at < 40; at++) {
        said.push(await lap(door, at, CLEAR));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return said;
    };
    const begun = now;
    const alone = await run(open());
    rmSync(state, { recursive: true });
    now = begun;
    const { asked } = await endpointThat(answer);
    const asking = await run(open());

    expect(alone.some((text) => text.includes("This run is stopped"))).toBe(true);
    expect(asking).toEqual(alone);
    expect(asked.length).toBeGreaterThan(0);
  });

  it("does not make a hook wait for an endpoint that hangs, and asks one question at a time", async () => {
    const slowest = async (door: TestDoor): Promise<number> => {
      const times: number[] = [];
      for (let at = 0; at < 40; at++) {
        const begun = performance.now();
        await lap(door, at, searching(at));
        times.push(performance.now() - begun);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return Math.max(...times);
    };
    const alone = await slowest(open());
    const hanging = await endpointThat("hangs");
    const asking = await slowest(open());

    expect(hanging.asked.length).toBeGreaterThan(0);
    expect(hanging.mostOpen).toBe(1);
    expect(asking - alone).toBeLessThan(500);
  });

  it("begins to ask only after the hook has its answer", async () => {
    await endpointThat("hangs");
    const fetched = vi.spyOn(globalThis, "fetch");
    const door = open();
    const early: number[] = [];
    for (let at = 0; at < 12; at++) {
      const before = fetched.mock.calls.length;
      await lap(door, at, searching(at));
      early.push(fetched.mock.calls.length - before);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const { length } = fetched.mock.calls;
    fetched.mockRestore();

    expect(length).toBeGreaterThan(0);
    expect(early).toEqual(early.map(() => 0));
  });

  it("is asked at most twelve times in a run, also over a restart of the resident", async () => {
    const { asked } = await endpointThat('{"verdict":"unsure"}');
    let door = open();
    for (let at = 0; at < 300; at++) {
      if (at === 60) {
        door.sessions.handOver();
        door = open();
      }
      await calmLap(door, at, searching(at));
    }

    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThanOrEqual(12);
  }, 60_000);

  it("takes no number of a call from a model that has not seen the first calls", async () => {
    await endpointThat('{"verdict":"stuck","since":1}');
    const setting = readFileSync(join(state, "opinion.json"), "utf8");
    forgetOpinion(state);
    const door = open();
    for (let at = 0; at < 30; at++) await lap(door, at, { command: `cat file-${at}`, output: `text ${at * at}` });
    writeFileSync(join(state, "opinion.json"), setting);
    const said: string[] = [];
    for (let at = 30; at < 50; at++) said.push(await calmLap(door, at, searching(at)));

    const [, calls] = /no progress in your last (\d+) calls/.exec(said.join("")) ?? [];
    expect(calls).toBeDefined();
    expect(Number(calls)).toBeLessThan(30);
  });

  it("begins and ends with the user's choice, without a restart", async () => {
    const { asked } = await endpointThat('{"verdict":"unsure"}');
    forgetOpinion(state);
    const door = open();
    for (let at = 0; at < 4; at++) await lap(door, at, searching(at));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toEqual([]);

    const again = await endpointThat('{"verdict":"unsure"}');
    for (let at = 4; at < 30; at++) await lap(door, at, searching(at));
    await vi.waitFor(() => expect(again.asked.length).toBeGreaterThan(0));
    forgetOpinion(state);
    await settled(again.asked.length);
    const { length } = again.asked;
    for (let at = 30; at < 90; at++) await lap(door, at, searching(at));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(again.asked).toHaveLength(length);
  });

  it("is not asked about a trial of doctor", async () => {
    const { asked } = await endpointThat(STUCK);
    const door = open();
    for (let at = 0; at < 15; at++)
      for (const name of ["PreToolUse", "PostToolUse"]) {
        const { command, output } = searching(at);
        const more = {
          tool_input: { command },
          ...(name === "PostToolUse" && { tool_response: { stdout: output, stderr: "" } }),
        };
        await door.tell(HOOK, { ...eventOf(name, at, more), [TRIAL_FIELD]: now + at * 5_000 });
      }
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(asked).toEqual([]);
  });

  it("is not read from a repository", async () => {
    const { url, asked } = await endpointThat(STUCK);
    forgetOpinion(state);
    const setting = JSON.stringify({ version: 1, url, model: "m", shows: "text" });
    for (const name of ["opinion.json", "doomloop.config.json", "package.json"]) {
      writeFileSync(
        join(root, name),
        name === "opinion.json" ? setting : `{"opinion":${setting},"doomloop":${setting}}`,
      );
    }
    writeFileSync(
      join(root, ".env"),
      `DOOMLOOP_OPINION_URL=${url}\nDOOMLOOP_OPINION_MODEL=m\nXDG_STATE_HOME=${root}\n`,
    );
    const door = open();
    for (let at = 0; at < 15; at++) await lap(door, at, searching(at));
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(asked).toEqual([]);
  });
});
