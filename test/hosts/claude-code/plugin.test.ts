import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageHome } from "../../../scripts/package/manifest.ts";
import type { AgentPlace, AgentStart, CodingAgent } from "../shared/coding-agents/coding-agent.ts";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { claudeCode } from "./claude-code.ts";

const program = join(import.meta.dirname, "node_modules/.bin/claude");
const base = claudeCode();
let folder: string;
/** The package as it is published, unpacked. */
let plugin: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-claude-plugin-"));
  execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: packageHome, stdio: "pipe" });
  const [tarball = ""] = readdirSync(folder);
  execFileSync("tar", ["-xzf", tarball], { cwd: folder });
  plugin = join(folder, "package");
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The plugin looks for the state folder and for Node in the home that the system knows, whatever the environment says. So the agent gets a
 * list of users of its own, which is mounted where only its processes see it.
 */
const mounted = (users: string, words: readonly string[]): readonly string[] => [
  "--map-root-user",
  "--mount",
  "/bin/sh",
  "-c",
  'mount --bind "$0" /etc/passwd && exec "$@"',
  users,
  ...words,
];
/** Whether this machine lets us do that. */
const canMount = process.platform === "linux" && spawnSync("unshare", mounted("/etc/passwd", ["true"])).status === 0;

function atHome({ home }: AgentPlace, { program: agent, words, env }: AgentStart): AgentStart {
  const users = join(home, "passwd");
  const others = readFileSync("/etc/passwd", "utf8").replaceAll(/^root:.*\n/gm, "");
  writeFileSync(users, `root:x:0:0:root:${home}:/bin/sh\n${others}`);
  const programs = join(home, ".nvm/versions/node/v24.0.0/bin");
  mkdirSync(programs, { recursive: true });
  symlinkSync(process.execPath, join(programs, "node"));
  return { program: "unshare", words: mounted(users, [agent, ...words]), env };
}

/** Claude Code after somebody has installed the plugin, as a user does. */
const withPlugin = (source: () => string): CodingAgent => ({
  ...base,
  prepare(place) {
    const start = base.prepare(place);
    const env = { PATH: process.env.PATH, HOME: place.home, ...start.env };
    const claude = (...words: string[]): void =>
      void execFileSync(program, ["plugin", ...words], { cwd: place.folder, env, stdio: "pipe" });
    claude("marketplace", "add", source());
    claude("install", "doomloop@doomloop");
    // What init writes then talks to the same resident.
    return atHome(place, { ...start, env: { ...start.env, XDG_STATE_HOME: join(place.home, ".local/state") } });
  },
});
const loop = (request: number): ModelTurn =>
  request > 9 ? { text: "I give up." } : { calls: [base.shell("cat result.txt")] };
/** Lines to the model. The skill is named in every request, with a comma behind the mark. */
const countIn = (text: string | undefined): number => (text ?? "").split("[doomloop] ").length - 1;

describe("the plugin for claude-code", () => {
  it("is what Claude Code takes for a plugin and a marketplace, without a warning", () => {
    const env = { PATH: process.env.PATH, HOME: folder, CLAUDE_CONFIG_DIR: join(folder, "config") };
    for (const path of [plugin, join(plugin, ".claude-plugin/plugin.json"), join(plugin, "skills")]) {
      const said = execFileSync(program, ["plugin", "validate", "--strict", path], { env, encoding: "utf8" });
      expect(said).toContain("Validation passed");
    }
  });

  // It would use the home of whoever runs the tests.
  it.skipIf(!canMount)("tells the model, and says the same beside the hook of init", async () => {
    const agent = withPlugin(() => plugin);
    // In a run of `claude -p` nobody watches, and here the loop is quick enough that nothing is refused.
    const alone = await runAgent(agent, { script: loop });
    const beside = await runAgent(agent, { script: loop, hook: ["--attended"] });

    expect(alone.requests.findIndex((text) => countIn(text) > 0) + 1, alone.output).toBe(4);
    expect(alone.looks).toBe(9);
    expect(beside.requests.map(countIn)).toEqual(alone.requests.map(countIn));
    expect(beside.looks).toBe(9);
  });

  it.skipIf(!canMount)("is as if it were absent where its program is gone", async () => {
    const broken = join(folder, "broken");
    cpSync(plugin, broken, { recursive: true });
    rmSync(join(broken, "dist"), { recursive: true });
    const { requests, looks, output } = await runAgent(
      withPlugin(() => broken),
      { script: loop },
    );

    expect(requests.map(countIn)).toEqual(requests.map(() => 0));
    expect(looks).toBe(9);
    expect(output.trim()).toBe("I give up.");
  });
});
