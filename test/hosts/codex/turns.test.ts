import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pauseGoal } from "../../../packages/doomloop/src/agents/codex/pause-goal.ts";
import { readLog } from "../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import type { AgentPlace, AgentStart } from "../shared/coding-agents/coding-agent.ts";
import { type ModelServer, modelServer } from "../shared/coding-agents/model-server.ts";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { addHook, hookState, makePlace, removePlace } from "../shared/coding-agents/run-agent.ts";
import {
  addStopHook,
  BLOCKED,
  ENDED_AT,
  firstTold,
  stopHookContract,
} from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { type AppServer, startAppServer } from "./app-server.ts";
import { codex } from "./codex.ts";

const keepGoing = (place: AgentPlace): void => addStopHook(place, join(place.home, ".codex/hooks.json"));

turnsContract(codex, { keepGoing, canTell: true, canEnd: true });
stopHookContract(codex, {
  keepGoing,
  again: ([program = "", exec = "", ...words]) => [
    ...[program, exec, "resume", "--last"],
    ...words.map((word) => (word === "Go." ? "Do something else." : word)),
  ],
});

describe("a goal of codex that nobody can reach", () => {
  let model: ModelServer;
  let script: (request: number) => ModelTurn;
  let root: string;
  let place: AgentPlace;
  let start: AgentStart;
  let server: AppServer;
  let threadId: string;
  beforeEach(async () => {
    script = () => BLOCKED;
    model = await modelServer(codex.wire, (request) => script(request));
    ({ root, place } = makePlace(model.url));
    start = codex.prepare(place);
    server = await startAppServer(start, place);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.end();
    model.close();
    await removePlace(root, place);
  });

  /** Has a person write to the agent and give it a goal. */
  const begin = async (): Promise<void> => {
    const { thread } = await server.ask("thread/start", {
      ...{ cwd: place.folder, approvalPolicy: "never", sandbox: "danger-full-access" },
      config: { bypass_hook_trust: true },
    });
    threadId = (thread as { id: string }).id;
    await server.ask("turn/start", { threadId, input: [{ type: "text", text: "Go." }] });
    await server.ask("thread/goal/set", { threadId, objective: "result.txt says done" });
  };
  const status = async (): Promise<unknown> =>
    ((await server.ask("thread/goal/get", { threadId })).goal as { status: string }).status;
  const said = (): string[] => readLog(hookState(place)).map((entry) => entry.said);
  const ends = (): string[] => said().filter((what) => what !== "words" && what !== "outcome");
  /** Waits until the goal is paused and the turn that had begun is over. */
  const paused = async (): Promise<void> => {
    await expect.poll(status, { timeout: 120_000, interval: 100 }).toBe("paused");
    let before = -1;
    while (before !== model.requests.length) {
      before = model.requests.length;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
  };

  /** Adds the hook. Only the user who runs `init` has Codex on the path. */
  const wire = (): void =>
    addHook(
      codex,
      place,
      { ...start, env: { ...start.env, PATH: `${dirname(start.program)}:${process.env.PATH}` } },
      [],
    );

  it("is given up by a model that takes the way out it is told", async () => {
    script = (request) => (request === 4 ? { calls: [{ tool: "update_goal", args: { status: "blocked" } }] } : BLOCKED);
    wire();
    await begin();

    await expect.poll(status, { timeout: 120_000, interval: 100 }).toBe("blocked");
    expect(model.requests[3]).toContain("call `update_goal` with `blocked`");
    expect(ends()).toEqual([]);
  });

  it("is paused if the model does not listen; resumed, it counts from the first", async () => {
    wire();
    await begin();
    await paused();

    const first = model.requests.length;
    expect(firstTold(model.requests)).toBe(4);
    expect(first).toBeGreaterThanOrEqual(ENDED_AT);
    expect(ends()).toEqual(["end"]);

    await server.ask("thread/goal/set", { threadId, status: "active" });
    await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBeGreaterThan(first);
    await paused();

    // On a busy machine, a turn may have been under way when the goal was paused.
    expect(model.requests.length - first).toBeGreaterThanOrEqual(ENDED_AT - 1);
    expect(ends()).toEqual(["end", "end"]);
  });

  it("is not paused in a folder that does not have it", async () => {
    vi.stubEnv("HOME", root);
    await begin();
    const { program } = start;
    const isPaused = (folder: string) => pauseGoal(threadId, [{ folder, program }]);

    expect(await isPaused(place.state)).toBe(false);
    expect(await status()).toBe("active");
    expect(await isPaused(join(place.home, ".codex"))).toBe(true);
    expect(await status()).toBe("paused");
  });
});
