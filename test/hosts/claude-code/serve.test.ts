import { describe, expect, it } from "vitest";
import { claudeCodeHook } from "../../../packages/doomloop/src/agents/claude-code/hook.ts";
import { SEEN_HEADER } from "../../../packages/doomloop/src/service/hook-door.ts";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { REFUSED_AT, REFUSED_MS, slowly } from "../shared/coding-agents/slow-loop.ts";
import { TOKEN, useHookServer } from "../shared/coding-agents/use-hook-server.ts";
import { claudeCode } from "./claude-code.ts";

const VARIABLES = claudeCodeHook.variables ?? [];
const server = useHookServer();

const served = (words: string) =>
  claudeCode(() => ({
    type: "http",
    url: `http://127.0.0.1:${server.port()}/hook/claude-code${words}`,
    timeout: 30,
    headers: { Authorization: "Bearer $DOOMLOOP_TOKEN", [SEEN_HEADER]: VARIABLES.map((name) => `$${name}`).join(",") },
    allowedEnvVars: ["DOOMLOOP_TOKEN", ...VARIABLES],
  }));
const agent = served("?mode=unattended");
const loop =
  (loops = 9) =>
  (request: number) =>
    request > loops ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] };

describe("doomloop serve, in claude-code", () => {
  it("tells the model and refuses, with the token from the environment", async () => {
    const { requests, looks, output } = await runAgent(agent, {
      script: slowly(loop(REFUSED_AT + 1), REFUSED_MS),
      hook: [],
      env: { DOOMLOOP_TOKEN: TOKEN },
    });

    expect(requests.findIndex((text) => text.includes("[doomloop]")) + 1, output).toBe(4);
    expect(looks).toBe(REFUSED_AT - 1);
    expect(server.strangers()).toBe(0);
  });

  it("has words only for a session that is called attended", async () => {
    const { requests, looks, output } = await runAgent(served("?mode=attended"), {
      script: loop(),
      hook: [],
      env: { DOOMLOOP_TOKEN: TOKEN },
    });

    expect(requests.findIndex((text) => text.includes("[doomloop]")) + 1, output).toBe(4);
    expect(looks).toBe(9);
  });

  it("is as if it were absent to an agent that has no token", async () => {
    const { requests, looks } = await runAgent(agent, { script: loop(), hook: [] });

    expect(requests.join("")).not.toContain("[doomloop]");
    expect(looks).toBe(9);
    expect(server.strangers()).toBeGreaterThan(0);
  });
});
