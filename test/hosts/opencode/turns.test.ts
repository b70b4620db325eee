import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readLog } from "../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import { type AgentPlace, type CodingAgent, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { hookState, runAgent } from "../shared/coding-agents/run-agent.ts";
import { opencode } from "./opencode.ts";

const HONEST_TURNS = 4;
/** Some more than after which the turns are ended. */
const MAX_TURNS = 30;

/** A plugin that starts the next turn whenever one ends, and says in a file when no other will follow. */
const restarter = `
import { writeFileSync } from "node:fs";
let prompts = 0;
let turns = 0;
export const restarter = async ({ client }) => ({
  async "chat.message"(_input, { parts }) {
    if (parts[0].text !== "continue") prompts++;
  },
  async event({ event }) {
    if (event.type !== "session.idle") return;
    const path = { id: event.properties.sessionID };
    const body = { parts: [{ type: "text", text: "continue" }] };
    const isOver = ++turns >= ${MAX_TURNS};
    if (isOver || (await client.session.prompt({ path, body })).error) writeFileSync(\`over-\${prompts}\`, "");
  },
});
`;

/** opencode as a server, with a client that sends these prompts. It starts slowly, so one run has to show everything. */
const served = (prompts: readonly string[]): CodingAgent => ({
  ...opencode,
  prepare(place) {
    const { program, env } = opencode.prepare(place);
    writeSettings(join(place.home, "config/opencode/plugins/restarter.js"), restarter);
    const words = [join(import.meta.dirname, "served-prompts.ts"), program, ...prompts];
    return { program: process.execPath, words, env };
  },
});

/** Does something in each of the first turns, and nothing from then on. */
const script = (request: number): ModelTurn => {
  const isCall = request < 2 * HONEST_TURNS && request % 2 === 1;
  if (!isCall) return { text: "There is nothing left to do.", afterMs: 150 };
  return { calls: [opencode.shell(`echo page ${request} >> pages.txt && wc -c pages.txt`)] };
};

it("tells opencode of turns that another plugin starts, ends them, and counts again when the user speaks", async () => {
  let said: readonly string[] = [];
  let notified = "";
  const { requests, output } = await runAgent(served(["Go.", "Please look again."]), {
    script,
    hook: ["--attended", "--notify", "echo >> notified"],
    inspect(place: AgentPlace) {
      said = readLog(hookState(place)).map((entry) => entry.said);
      notified = readFileSync(join(hookState(place), "notified"), "utf8");
    },
  });
  // The last of the turns that do something is the first that ends alike.
  const told = 2 * HONEST_TURNS + 3;

  expect(requests.findIndex((request) => request.includes("[doomloop]")) + 1, output).toBe(told);
  expect(said.filter((what) => what === "end")).toHaveLength(1);
  expect(notified).toMatch(/^opencode end text-only .*\n$/);
  // The model was asked in every turn, and not for the prompt that was refused.
  expect(requests).toHaveLength(HONEST_TURNS + MAX_TURNS);
});
