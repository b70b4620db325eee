import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack, unpack } from "../../../../scripts/package/tarball.ts";
import type { AgentPlace, AgentStart, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { runAgent } from "./run-agent.ts";

/** How the real program of an agent is told about plugins. */
export interface PluginHost {
  readonly agent: CodingAgent;
  readonly install: (source: string) => readonly (readonly string[])[];
  readonly remove: readonly (readonly string[])[];
  /** Files in the home folder that say which plugins there are. */
  readonly lists: readonly string[];
}

/** The plugin of the package in one agent, installed from the branch that a release writes. `more` gets the folder of a clone of it. */
export function pluginContract(host: PluginHost, more: (clone: () => string) => void = () => {}): void {
  let folder: string;
  const clone = (): string => join(folder, "clone");
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "doomloop-plugin-"));
    makeClone(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  describe(`the plugin for ${host.agent.name}`, () => {
    // It would use the home of whoever runs the tests.
    it.skipIf(!canMount)("tells the model, and says the same beside the hook of init", async () => {
      const agent = withPlugin(host, clone);
      // Attended, and quick enough that nothing is refused.
      const alone = await runAgent(agent, { script: loopOf(agent) });
      const beside = await runAgent(agent, { script: loopOf(agent), hook: ["--attended"] });

      expect(alone.requests.findIndex((text) => countIn(text) > 0) + 1, alone.output).toBe(4);
      expect(alone.looks).toBe(9);
      expect(beside.requests.map(countIn)).toEqual(alone.requests.map(countIn));
      expect(beside.looks).toBe(9);
    });

    it.skipIf(!canMount)("is installed from its branch, and gone when it is removed", async () => {
      const plain = withPlugin(host, () => "doomloop/doomloop@plugins", host.remove);
      const agent: CodingAgent = {
        ...plain,
        prepare(place) {
          hostAt(place, folder);
          return plain.prepare(place);
        },
      };
      let lists: readonly string[] = [];
      const { requests, looks } = await runAgent(agent, {
        script: loopOf(agent),
        change: ({ home }) => (lists = host.lists.map((file) => readFileSync(join(home, file), "utf8"))),
      });

      expect(lists.join("\n")).not.toContain("doomloop");
      expect(requests.join("\n")).not.toContain("[doomloop]");
      expect(looks).toBe(9);
    });

    it.skipIf(!canMount)("is as if it were absent where its program is gone", async () => {
      const broken = join(folder, "broken");
      cpSync(clone(), broken, { recursive: true });
      rmSync(join(broken, "dist"), { recursive: true });
      const agent = withPlugin(host, () => broken);
      const { requests, looks, output } = await runAgent(agent, { script: loopOf(agent) });

      expect(requests.map(countIn)).toEqual(requests.map(() => 0));
      expect(looks).toBe(9);
      expect(output.trim()).toMatch(/I give up\.$/);
    });

    more(clone);
  });
}

/** What a release pushes, and a clone of it. */
function makeClone(folder: string): void {
  const repository = join(folder, "repository");
  const git = (...words: string[]): void => void execFileSync("git", ["-C", repository, ...words], { stdio: "pipe" });
  unpack(pack(folder), repository);
  git("init", "--quiet", "--initial-branch", "plugins");
  git("add", "--all", "--force");
  git("-c", "user.name=doomloop", "-c", "user.email=doomloop@example.com", "commit", "--quiet", "--message", "0");
  execFileSync("git", ["clone", "--quiet", repository, join(folder, "clone")]);
}

/** Lets git find our repository on this machine. */
function hostAt({ home }: AgentPlace, folder: string): void {
  const address = "https://github.com/doomloop/doomloop.git";
  writeFileSync(join(home, ".gitconfig"), `[url "file://${folder}/repository"]\n\tinsteadOf = ${address}\n`);
}

/** The agent after somebody has told it about the plugin, as a user does. */
function withPlugin(host: PluginHost, source: () => string, then: PluginHost["remove"] = []): CodingAgent {
  return {
    ...host.agent,
    prepare(place) {
      const start = host.agent.prepare(place);
      const env = { PATH: process.env.PATH, HOME: place.home, ...start.env };
      for (const words of [...host.install(source()), ...then])
        execFileSync(start.program, ["plugin", ...words], { cwd: place.folder, env, stdio: "pipe" });
      // What init writes then talks to the same resident.
      return atHome(place, { ...start, env: { ...start.env, XDG_STATE_HOME: join(place.home, ".local/state") } });
    },
  };
}

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

function atHome({ home }: AgentPlace, { program, words, env }: AgentStart): AgentStart {
  const users = join(home, "passwd");
  const others = readFileSync("/etc/passwd", "utf8").replaceAll(/^root:.*\n/gm, "");
  writeFileSync(users, `root:x:0:0:root:${home}:/bin/sh\n${others}`);
  const programs = join(home, ".nvm/versions/node/v24.0.0/bin");
  mkdirSync(programs, { recursive: true });
  symlinkSync(process.execPath, join(programs, "node"));
  return { program: "unshare", words: mounted(users, [program, ...words]), env };
}

const loopOf =
  ({ shell }: CodingAgent) =>
  (request: number): ModelTurn =>
    request > 9 ? { text: "I give up." } : { calls: [shell("cat result.txt")] };
/** Lines to the model. The skill may be named in every request, with a comma behind the mark. */
const countIn = (text: string | undefined): number => (text ?? "").split("[doomloop] ").length - 1;
