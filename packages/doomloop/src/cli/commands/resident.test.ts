import { mkdirSync, realpathSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { createAgentEvents } from "../../agents/hook/agent-events.ts";
import { folderRules } from "../../agents/hook/folder-rules.ts";
import { appendToLog, type LogEntry } from "../../agents/hook/intervention-log.ts";
import { isPaused } from "../../agents/hook/pause.ts";
import { askResident } from "../../agents/hook-client/ask-resident.ts";
import { failedFile, runFolder } from "../../agents/hook-client/resident-address.ts";
import { noteFailedStart } from "../../agents/hook-client/start-resident.ts";
import { saveOpinion } from "../../service/opinion-setting.ts";
import { startResident } from "../../service/resident.ts";
import { residentStatus } from "../../service/resident-status.ts";
import { makePrivateFolder } from "../../system/private-files.ts";
import { stateFolder } from "../../system/state-folder.ts";

let sandbox: CliSandbox;
let state: string;
let project: string;
beforeEach(() => {
  sandbox = createCliSandbox();
  state = stateFolder({ env: {}, platform: process.platform, home: join(sandbox.folder, "home") });
  project = realpathSync(sandbox.folder);
});
afterEach(() => sandbox.remove());

const entry = (more: Partial<LogEntry> = {}): LogEntry => ({
  at: Date.now() - 60_000,
  host: "codex",
  session: "0199f0a1-77aa",
  folder: project,
  said: "words",
  kind: "repeated-call",
  tool: "Bash",
  count: 3,
  words: "[doomloop] This exact `Bash` call failed the same way 3 times.",
  ...more,
});

describe("doomloop log", () => {
  it("says so where hooks have said nothing", async () => {
    expect(await sandbox.doomloop(["log"])).toEqual({ code: 0, stdout: "Hooks have not acted today.\n", stderr: "" });
  });

  it("shows what was seen and said, what the agent did next, and how to undo it", async () => {
    appendToLog(state, entry({ at: Date.now() - 120_000 }));
    appendToLog(
      state,
      entry({
        said: "refusal",
        ignored: 1,
        count: 9,
        words: "[doomloop] Not run: this exact `Bash` call failed the same way 9 times.",
      }),
    );
    appendToLog(state, entry({ said: "start-over", checkpoint: "0123456789ab" }));
    appendToLog(state, { at: Date.now(), said: "outcome", host: "codex", session: "another", obeyed: 1 });
    const { stdout } = await sandbox.doomloop(["log", "--last", "1h"]);

    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d told the agent: Same call again \(Bash\), 3 times\n {2}codex, 0199f0a1, /,
    );
    expect(stdout).toContain(
      '  "[doomloop] This exact `Bash` call failed the same way 3 times."\n  The agent went on the same way.\n',
    );
    expect(stdout).toContain("refused a call: Same call again (Bash), 9 times\n");
    expect(stdout).toContain("told the agent to start over");
    expect(stdout).toContain("Latest checkpoint: 0123456789ab. See doomloop restore --dry-run.");
    expect(stdout).not.toContain("another");
  });

  it("shows other projects only if it is asked for all, and other days only if it is asked for them", async () => {
    appendToLog(state, entry({ folder: "/elsewhere" }));
    appendToLog(state, entry({ at: Date.now() - 3 * 86_400_000, tool: "Old" }));

    expect((await sandbox.doomloop(["log", "--here", "--last", "1h"])).stdout).toBe(
      "Hooks have not acted in the last hour.\n",
    );
    expect((await sandbox.doomloop(["log", "--last", "1h"])).stdout).not.toContain("Old");
    const { stdout } = await sandbox.doomloop(["log", "--last", "7d", "--json"]);
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).tool),
    ).toEqual(["Old", "Bash"]);
  });

  it("shows nothing that could turn a terminal around", async () => {
    appendToLog(state, entry({ folder: "/a\u001b[2J", tool: "x\u202e", session: "\u0007", words: "\u001b]0;x" }));

    const { stdout } = await sandbox.doomloop(["log", "--last", "1h"]);
    expect(["\u001b", "\u202e", "\u0007"].filter((character) => stdout.includes(character))).toEqual([]);
  });

  it("shows what another model was asked and said, and leaves it out of what hooks did", async () => {
    const asked = { at: Date.now(), said: "opinion", host: "codex", session: "0199f0a1-77aa" } as const;
    appendToLog(state, { ...asked, verdict: "stuck", why: "hunch", count: 12, ms: 640 });
    appendToLog(state, { ...asked, verdict: "none", why: "confirm", count: 3, ms: 5_020, kind: "repeated-call" });
    const { stdout } = await sandbox.doomloop(["log", "--last", "1h"]);

    expect(stdout).toMatch(/asked another model: it says stuck\n {2}codex, 0199f0a1\n/);
    expect(stdout).toContain("  About 12 calls, because outcomes repeat. Took 640 ms.\n");
    expect(stdout).toContain("asked another model: no answer that could be read\n");
    expect(stdout).toContain("  About 3 calls, before a first warning. Took 5.0 s.\n");
    expect(stdout).not.toContain("Not a loop?");

    expect((await sandbox.doomloop(["status"])).stdout).not.toContain("Second opinion");
    saveOpinion(state, { url: "http://127.0.0.1:9/v1?key=canary", model: "small", shows: "text", key: "canary" });
    const status = (await sandbox.doomloop(["status"])).stdout.replaceAll(/\s+/g, " ");
    expect(status).toContain(
      "Second opinion: small at http://127.0.0.1:9/v1, asked 2 times today: 1 stuck, 1 without an answer.",
    );
    expect(status).toContain("Hooks have not acted today.");
    expect(status).not.toContain("canary");
  });

  it("refuses a time that is none", async () => {
    expect(await sandbox.doomloop(["log", "--last", "soon"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--last: expected a duration such as 12h or 7d"),
    });
    for (const words of [
      ["log", "--last", "30m"],
      ["pause", "--for", "30m"],
      ["scan", "--last", "30m"],
    ])
      expect((await sandbox.doomloop(words)).stderr).toContain("30m may be minutes or months; write 30min or 30mo");
    expect(isPaused(state, Date.now())).toBe(false);
  });
});

describe("doomloop pause and resume", () => {
  it("keep hooks silent for a time, or until somebody says so", async () => {
    expect((await sandbox.doomloop(["pause", "--for", "1h"])).stderr).toMatch(/^Hooks are off until /);
    expect(isPaused(state, Date.now())).toBe(true);
    expect(isPaused(state, Date.now() + 3_700_000)).toBe(false);
    await sandbox.doomloop(["pause"]);
    expect(isPaused(state, Date.now() + 1e12)).toBe(true);
    expect((await sandbox.doomloop(["status"])).stdout).toContain("Hooks are paused until you run doomloop resume.");

    expect((await sandbox.doomloop(["resume"])).stderr).toBe("Hooks are on again.\n");
    expect((await sandbox.doomloop(["resume"])).stderr).toBe("Hooks were not paused.\n");
  });
});

describe("doomloop mode", () => {
  it("holds for the whole project, and is kept in the user's home", async () => {
    mkdirSync(join(project, ".git"));
    mkdirSync(join(project, "src"));
    await sandbox.doomloop(["mode", "unattended"], {}, join(project, "src"));

    expect(folderRules(state, project).mode).toBe("unattended");
    expect((await sandbox.doomloop(["mode"])).stdout).toContain(
      "Mode here: unattended (nobody is watching). Calls in a loop are refused, and runs that keep going are ended.",
    );
    await sandbox.doomloop(["mode", "auto"]);
    expect(folderRules(state, project)).toEqual({ tools: {} });
    expect((await sandbox.doomloop(["mode", "loud"])).code).toBe(2);
  });
});

describe("doomloop status and stop", () => {
  it("tell of events that a hook could not read, in one line for each agent", async () => {
    makePrivateFolder(state);
    const noted = (count: number, agent: string, at: number) => {
      const events = createAgentEvents(
        state,
        () => at,
        () => {},
      );
      for (let left = count; left > 0; left--) events.noteUnreadable(agent);
      events.save();
    };
    expect((await sandbox.doomloop(["status"])).stdout).not.toContain("could not read");
    noted(1, "codex", Date.now() - 8 * 86_400_000);
    noted(1, "copilot-cli", Date.now());
    noted(12, "claude-code", Date.now() - 3_700_000);
    const { stdout } = await sandbox.doomloop(["status"], { COLUMNS: "80" });

    expect(stdout.split("\n").filter((line) => line.includes("read"))).toEqual([
      "The hook of Claude Code could not read 12 events, the latest 1h ago.",
      "The hook of Copilot CLI could not read 1 event, the latest just now.",
    ]);
  });

  it("tell of such events that are not saved yet", async () => {
    const resident = await startResident({ state, version: "0.0.1", onFault() {} });
    for (let at = 0; at < 3; at++)
      await askResident({ state, path: "/hook/claude-code", body: '{"sessionId":"canary"}', timeoutMs: 20_000 });
    const { stdout } = await sandbox.doomloop(["status"]);

    expect(stdout).toContain("The hook of Claude Code could not read 3 events, the latest just now.\n");
    expect(stdout).not.toContain("canary");
    const json = JSON.parse((await sandbox.doomloop(["status", "--json"])).stdout);
    expect(json).toMatchObject({
      resident: { version: "0.0.1", events: 3 },
      pausedUntil: null,
      acted: 0,
      agents: { "claude-code": { unreadable: { count: 3, at: expect.any(Number) } } },
    });
    await resident?.end();
    await sandbox.doomloop(["pause"]);
    const paused = JSON.parse((await sandbox.doomloop(["status", "--json"])).stdout);
    expect(paused).toEqual({ ...json, resident: null, pausedUntil: "forever" });
  });

  it.each([
    [{ levels: { told: 2 }, rules: {} }, ": levels, rules. Use doomloop mode, doomloop allow and doomloop init"],
    [{ "\x1b[31m": 1 }, ": \\u{1b}[31m: there is no such option"],
  ])("tells that hooks ignore a configuration here, because an agent may have written it", async (config, words) => {
    sandbox.write("doomloop.config.json", JSON.stringify(config));
    const { stdout } = await sandbox.doomloop(["status"]);

    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`Hooks ignore ${join(project, "doomloop.config.json")}${words}`);
  });

  it("tell that the resident guard could not start, and that events do not start it for a minute", async () => {
    makePrivateFolder(runFolder(state));
    noteFailedStart(state);
    const { stdout } = await sandbox.doomloop(["status"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/^The resident guard could not start\. .* doomloop doctor says why/);

    utimesSync(failedFile(state), new Date(0), new Date(0));
    const next = async () => (await sandbox.doomloop(["status"])).stdout.replaceAll(/\s+/g, " ");
    expect(await next()).toContain("No agent has a hook; doomloop init adds it.");
    await sandbox.doomloop(["init", "codex", "--yes"]);
    expect(await next()).toContain("The next event of an agent starts it.");
  });

  it("tell of the resident guard, and end it", async () => {
    expect((await sandbox.doomloop(["status"])).stdout).toContain("No resident guard is running.");
    expect((await sandbox.doomloop(["stop"])).stderr).toBe("No resident guard is running.\n");
    const resident = await startResident({ state, version: "0.0.1", onFault() {} });
    appendToLog(state, entry());

    const { stdout } = await sandbox.doomloop(["status"]);
    expect(stdout).toContain("The resident guard 0.0.1 has been running since");
    expect(stdout).toMatch(/Hooks have acted once today|Hooks have not acted today/);
    expect((await sandbox.doomloop(["stop"])).stderr).toBe("The resident guard has ended.\n");
    expect(await residentStatus(state)).toBeUndefined();
    await resident?.ended;
  });
});
