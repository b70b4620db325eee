import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentPlace, commandLine, writeSettings } from "../shared/coding-agents/coding-agent.ts";
import { type ModelServer, modelServer } from "../shared/coding-agents/model-server.ts";
import { hookProgram } from "../shared/coding-agents/run-agent.ts";
import { REFUSED_AT, REFUSED_MS, slowly } from "../shared/coding-agents/slow-loop.ts";
import { claudeCode } from "./claude-code.ts";

const agent = claudeCode();
/** What Claude Code says above the words of a hook that asks. */
const QUESTION = "requires confirmation";

let root: string;
let server: ModelServer;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "doomloop-terminal-"));
  const script = slowly(() => ({ calls: [agent.shell("cat result.txt")] }), REFUSED_MS);
  server = await modelServer(agent.wire, script);
});
afterEach(() => {
  server.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

// `script` gives it a terminal; other systems' takes other words.
it.skipIf(process.platform !== "linux")(
  "asks the person in front of a terminal, once the words were in vain",
  async () => {
    const place: AgentPlace = {
      home: join(root, "home"),
      folder: join(root, "work"),
      state: join(root, "state"),
      modelUrl: server.url,
      hook: [process.execPath, await hookProgram(), "--host", agent.name],
    };
    for (const folder of [place.home, place.folder, place.state]) mkdirSync(folder);
    writeFileSync(join(place.folder, "result.txt"), "nothing was found\n");
    const { program, words, env } = agent.prepare(place);
    // A person has been here before, and trusts the folder.
    writeSettings(join(place.home, ".claude/.claude.json"), {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [env.ANTHROPIC_API_KEY], rejected: [] },
      projects: { [place.folder]: { hasTrustDialogAccepted: true } },
    });
    const line = commandLine([program, ...words.filter((word) => word !== "-p")]);
    const child = spawn("script", ["-qfc", line, "/dev/null"], {
      cwd: place.folder,
      env: { PATH: process.env.PATH, HOME: place.home, XDG_STATE_HOME: place.state, TERM: "xterm", ...env },
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
