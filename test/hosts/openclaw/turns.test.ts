import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { openclaw } from "./openclaw.ts";

/** A plugin that never accepts an answer. */
const CRITIC = {
  "package.json": { name: "critic", version: "1.0.0", type: "module", openclaw: { extensions: ["./index.js"] } },
  "openclaw.plugin.json": {
    id: "critic",
    name: "critic",
    description: "Never accepts an answer",
    activation: { onStartup: true },
    configSchema: { type: "object", additionalProperties: false, properties: {} },
  },
  "index.js": `export default {
  id: "critic",
  register(api) {
    let passes = 0;
    api.on("before_agent_finalize", () => {
      const retry = { instruction: "Go on.", idempotencyKey: String(++passes) };
      return { action: "revise", reason: "That is not enough.", retry };
    });
  },
};
`,
};

/** OpenClaw with that plugin, and with the permission that both need. */
const criticised: CodingAgent = {
  ...openclaw,
  prepare(place) {
    const start = openclaw.prepare(place);
    const critic = join(place.home, "critic");
    for (const [file, content] of Object.entries(CRITIC)) writeSettings(join(critic, file), content);
    const file = start.env.OPENCLAW_CONFIG_PATH!;
    const entry = { enabled: true, hooks: { allowConversationAccess: true } };
    const plugins = { load: { paths: [critic] }, entries: { critic: entry, doomloop: entry } };
    writeSettings(file, { ...JSON.parse(readFileSync(file, "utf8")), plugins });
    return start;
  },
};

it("tells OpenClaw of turns that another plugin asks for", async () => {
  const { requests, output } = await runAgent(criticised, {
    script: () => ({ text: "There is nothing left to do.", afterMs: 150 }),
    hook: [],
  });

  // OpenClaw itself accepts the fourth answer of a run, whatever its plugins say.
  expect(
    requests.map((request) => request.includes("[doomloop]")),
    output,
  ).toEqual([false, false, false, true]);
});
