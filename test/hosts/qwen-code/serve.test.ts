import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HookServer, startHookServer } from "../../../packages/doomloop/src/cli/serve/hook-server.ts";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { qwenCode } from "./qwen-code.ts";

const TOKEN = "a-token-of-this-test";
let state: string;
let server: HookServer;
let strangers = 0;

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
  server = await startHookServer({ state, port: 0, token: TOKEN, onStranger: () => void strangers++ });
});
afterAll(async () => {
  await server.close();
  rmSync(state, { recursive: true });
});

const agent = qwenCode(() => ({
  type: "http",
  url: `http://127.0.0.1:${server.port}/hook/qwen-code?unattended=1`,
  timeout: 30,
  headers: { Authorization: "Bearer $DOOMLOOP_TOKEN" },
  allowedEnvVars: ["DOOMLOOP_TOKEN"],
}));
const loop = (request: number) => (request > 9 ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] });

describe("doomloop serve, in qwen-code", () => {
  it("tells the model, with the token from the environment", async () => {
    const { requests, output } = await runAgent(agent, { script: loop, hook: [], env: { DOOMLOOP_TOKEN: TOKEN } });

    expect(requests.findIndex((text) => text.includes("[doomloop]")) + 1, output).toBe(4);
    expect(strangers).toBe(0);
  });

  it("is as if it were absent to an agent that has no token", async () => {
    const { requests, output } = await runAgent(agent, { script: loop, hook: [] });

    expect(requests.length, output).toBe(agent.endsItselfAt);
    expect(requests.join("")).not.toContain("[doomloop]");
    expect(strangers).toBeGreaterThan(0);
  });
});
