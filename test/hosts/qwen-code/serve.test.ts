import { describe, expect, it } from "vitest";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { TOKEN, useHookServer } from "../shared/coding-agents/use-hook-server.ts";
import { qwenCode } from "./qwen-code.ts";

const server = useHookServer();

const agent = qwenCode(() => ({
  type: "http",
  url: `http://127.0.0.1:${server.port()}/hook/qwen-code?mode=unattended`,
  timeout: 30,
  headers: { Authorization: "Bearer $DOOMLOOP_TOKEN" },
  allowedEnvVars: ["DOOMLOOP_TOKEN"],
}));
const loop = (request: number) => (request > 9 ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] });

describe("doomloop serve, in qwen-code", () => {
  it("tells the model, with the token from the environment", async () => {
    const { requests, output } = await runAgent(agent, { script: loop, hook: [], env: { DOOMLOOP_TOKEN: TOKEN } });

    expect(requests.findIndex((text) => text.includes("[doomloop]")) + 1, output).toBe(4);
    expect(server.strangers()).toBe(0);
  });

  it("is as if it were absent to an agent that has no token", async () => {
    const { requests, output } = await runAgent(agent, { script: loop, hook: [] });

    expect(requests.length, output).toBe(agent.endsItselfAt);
    expect(requests.join("")).not.toContain("[doomloop]");
    expect(server.strangers()).toBeGreaterThan(0);
  });
});
