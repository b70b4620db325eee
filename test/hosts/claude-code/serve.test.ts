import { describe, expect, it } from "vitest";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { REFUSED_AT, REFUSED_MS, slowly } from "../shared/coding-agents/slow-loop.ts";
import { TOKEN, useHookServer } from "../shared/coding-agents/use-hook-server.ts";
import { claudeCode } from "./claude-code.ts";

const server = useHookServer();

const served = (words: string) =>
  claudeCode(() => ({
    type: "http",
    url: `http://127.0.0.1:${server.port()}/hook/claude-code${words}`,
    timeout: 30,
    headers: { Authorization: "Bearer $DOOMLOOP_TOKEN", "X-Claude-Code-Entrypoint": "$CLAUDE_CODE_ENTRYPOINT" },
    allowedEnvVars: ["DOOMLOOP_TOKEN", "CLAUDE_CODE_ENTRYPOINT"],
  }));
const agent = served("?unattended=1");
const loop =
  (loops = 9) =>
  (request: number) =>
    request > loops ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] };

describe("doomloop serve, in claude-code", () => {
  it("tells the model and refuses, with the token from the environment", async () => {
    const { requests, looks, output } = await runAgent(agent, {
      script: slowly(loop(REFUSED_AT + 2), REFUSED_MS),
      hook: [],
      env: { DOOMLOOP_TOKEN: TOKEN },
    });

    expect(requests.findIndex((text) => text.includes("[doomloop]")) + 1, output).toBe(4);
    expect(looks).toBe(REFUSED_AT - 1);
    expect(server.strangers()).toBe(0);
  });

  it("has words only for a session without a person that is not called unattended", async () => {
    const { requests, looks, output } = await runAgent(served(""), {
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
    expect(server.strangers()).toBe(1);
  });
});
