import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentPlace, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { type ModelServer, modelServer } from "../shared/coding-agents/model-server.ts";
import { addHook, environmentOf, makePlace, removePlace } from "../shared/coding-agents/run-agent.ts";
import { REFUSED_AT, REFUSED_MS, slowly } from "../shared/coding-agents/slow-loop.ts";
import { claudeCode } from "./claude-code.ts";

const agent = claudeCode();
/** What Claude Code says above the words of a hook that asks. */
const QUESTION = "requires confirmation";

let root: string;
let place: AgentPlace;
let server: ModelServer;
beforeEach(async () => {
  const script = slowly(() => ({ calls: [agent.shell("cat result.txt")] }), REFUSED_MS);
  server = await modelServer(agent.wire, script);
  ({ root, place } = makePlace(server.url));
});
afterEach(async () => {
  server.close();
  await removePlace(root, place);
});

// `script` gives it a terminal; other systems' takes other words.
it.skipIf(process.platform !== "linux")(
  "asks the person in front of a terminal, once the words were in vain",
  async () => {
    const start = agent.prepare(place);
    const { program, words, env } = start;
    addHook(agent, place, start, []);
    // A person has been here before, and trusts the folder.
    writeSettings(join(place.home, ".claude/.claude.json"), {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [env.ANTHROPIC_API_KEY], rejected: [] },
      projects: { [place.folder]: { hasTrustDialogAccepted: true } },
    });
    const line = [program, ...words.filter((word) => word !== "-p")].join(" ");
    const child = spawn("script", ["-qfc", line, "/dev/null"], {
      cwd: place.folder,
      env: { ...environmentOf(place), TERM: "xterm", ...env },
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let screen = "";
    child.stdout.on("data", (piece) => (screen += piece));
    try {
      // What a terminal is sent has no spaces where the cursor was moved.
      const shown = (): string => stripVTControlCharacters(screen).replaceAll(/\s/g, "");
      await expect.poll(shown, { timeout: 120_000, interval: 100 }).toContain(QUESTION.replaceAll(" ", ""));

      expect(server.requests).toHaveLength(REFUSED_AT);
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  },
);
