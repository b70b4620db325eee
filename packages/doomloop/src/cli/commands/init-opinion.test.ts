import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { type ScriptedAnswer, type ScriptedEndpoint, scriptedEndpoint } from "../../../../../test/scripted-endpoint.ts";
import { stateFolder } from "../../system/state-folder.ts";

const URL_OPTION = "--opinion-url";
const LOCAL = ["--opinion-url", "http://127.0.0.1:11434/v1", "--opinion-model", "small"] as const;
let sandbox: CliSandbox;
let state: string;
beforeEach(() => {
  sandbox = createCliSandbox();
  mkdirSync(join(sandbox.folder, "home"));
  mkdirSync(join(sandbox.folder, "tmp"));
  state = stateFolder({ env: {}, platform: process.platform, home: join(sandbox.folder, "home") });
});
afterEach(() => sandbox.remove());

const file = (): string => join(state, "opinion.json");
const kept = (): Record<string, unknown> => JSON.parse(readFileSync(file(), "utf8"));
const init = (words: readonly string[], env: Record<string, string> = {}): ReturnType<CliSandbox["doomloop"]> =>
  sandbox.doomloop(["init", "codex", "--yes", ...words], env);
const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

describe("doomloop init --opinion-url", () => {
  it("keeps the choice in the user's home, for nobody else to read, and says what it sends where", async () => {
    const { code, stderr } = await init(LOCAL, { DOOMLOOP_OPINION_KEY: "sk-canary" });

    expect(code).toBe(0);
    expect(flat(stderr)).toContain(
      "Where the rules cannot tell, doomloop sends a short excerpt of the session to http://127.0.0.1:11434/v1 (small, with the key that you gave), at most 12 times a run.",
    );
    expect(stderr).not.toContain("sk-canary");
    expect(kept()).toMatchObject({ url: LOCAL[1], model: "small", shows: "text", key: "sk-canary" });
    if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(sandbox.folder, "home/.codex/hooks.json"), "utf8")).not.toMatch(/canary|11434/);
  });

  it("keeps what was chosen before, and a key only for its own server", async () => {
    await init(LOCAL, { DOOMLOOP_OPINION_KEY: "sk-1" });
    await init(["--opinion-shows", "shapes"]);
    expect(kept()).toMatchObject({ model: "small", shows: "shapes", key: "sk-1" });
    await init(["--opinion-model", "large"]);
    expect(kept()).toMatchObject({ model: "large", shows: "shapes", key: "sk-1" });
    await init([]);
    expect(kept()).toMatchObject({ model: "large", key: "sk-1" });

    const { stderr } = await init([URL_OPTION, "http://models.example/v1"]);
    expect(kept()).toMatchObject({ url: "http://models.example/v1", model: "large" });
    expect(kept()).not.toHaveProperty("key");
    expect(flat(stderr)).toContain("others on the way can read what is sent");
  });

  it("takes it back, with the key", async () => {
    await init(LOCAL, { DOOMLOOP_OPINION_KEY: "sk-1" });
    expect((await init([URL_OPTION, "none"])).stderr).toContain("Nobody is asked for a second opinion.");
    expect(existsSync(file())).toBe(false);

    await init(LOCAL, { DOOMLOOP_OPINION_KEY: "sk-1" });
    const { stderr } = await sandbox.doomloop(["uninstall", "--yes"]);
    expect(stderr).toContain("Nobody is asked for a second opinion any more.");
    expect(existsSync(file())).toBe(false);
  });

  it.each([
    [[URL_OPTION, "ftp://host/v1", "--opinion-model", "m"], "--opinion-url: an http or https address"],
    [[URL_OPTION, "http://me:secret@host/v1", "--opinion-model", "m"], "without a password is required"],
    [[URL_OPTION, "http://127.0.0.1/v1"], "--opinion-model: the name of a model is required"],
    [["--opinion-model", "m"], "--opinion-url: an http or https address"],
    [["--opinion-shows", "everything", ...LOCAL], "Allowed choices are text, shapes"],
  ])("refuses %j, and writes nothing", async (words, message) => {
    const { code, stderr } = await init(words);

    expect(code).toBe(2);
    expect(flat(stderr)).toContain(message);
    expect(existsSync(state)).toBe(false);
  });

  it("writes nothing in a dry run, and takes nothing from the repository", async () => {
    await init([...LOCAL, "--dry-run"]);
    expect(existsSync(file())).toBe(false);

    const setting = { version: 1, url: LOCAL[1], model: "evil", opinionUrl: LOCAL[1], opinionModel: "evil" };
    sandbox.write("doomloop.config.json", JSON.stringify(setting));
    sandbox.write("opinion.json", JSON.stringify(setting));
    sandbox.write(".env", `DOOMLOOP_OPINION_KEY=canary\nDOOMLOOP_OPINION_URL=${LOCAL[1]}\n`);
    await init([]);
    expect(existsSync(file())).toBe(false);
    await init(LOCAL);
    expect(kept()).toEqual({ version: 1, url: LOCAL[1], model: "small", shows: "text" });
  });
});

describe("doomloop doctor with a second opinion", () => {
  const doctor = async (
    answer: ScriptedAnswer,
  ): Promise<{ out: string; code: number | null; by: ScriptedEndpoint }> => {
    const by = await scriptedEndpoint(() => answer);
    const temporary = join(sandbox.folder, "tmp");
    await sandbox.doomloop(
      ["init", "qwen-code", "--yes", URL_OPTION, `${by.url}?token=sk-query`, "--opinion-model", "small\u001b[2J"],
      { DOOMLOOP_OPINION_KEY: "sk-canary" },
    );
    const { stdout, stderr, code } = await sandbox.doomloop(["doctor"], { TMPDIR: temporary, TEMP: temporary });
    await by.close();
    return { out: flat(`${stdout}${stderr}`), code, by };
  };

  it("asks once about a made-up run, and says what came back, how fast, and what a question costs", async () => {
    const { out, code, by } = await doctor('{"verdict":"stuck","since":1}');

    expect(out).toMatch(/answer can be read: it calls a made-up loop stuck, after [\d.]+ m?s/);
    expect(out).toMatch(/cost about [\d,]+ tokens that never change and up to 700 of the session for each question/);
    expect(out).toContain("at most 12 questions a run");
    expect(code).toBe(0);
    expect(by.asked).toHaveLength(1);
    expect(by.asked[0]).toMatchObject({ authorization: "Bearer sk-canary" });
    expect(by.asked[0]?.message).not.toContain(sandbox.folder);
    for (const hidden of ["sk-canary", "sk-query", "\u001b"]) expect(out).not.toContain(hidden);
  });

  it("says that another model may judge better", async () => {
    const { out, code } = await doctor('{"verdict":"working"}');

    expect(out).toContain("can be read, but it calls a made-up loop working; another model may judge better");
    expect(code).toBe(0);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ["another status", { status: 401, body: "canary" }, "status 401. Is the key right?"],
    ["something else", { body: "<html>canary" }, "fault the answer is not JSON"],
    ["words", "canary: it is fine", "fault the answer is not a verdict"],
  ])(
    "tells of %s, without repeating it",
    async (_, answer, words) => {
      const { out, code } = await doctor(answer);

      expect(out).toContain(words);
      expect(out).not.toContain("canary");
      expect(code).toBe(1);
    },
    20_000,
  );

  it("tells of an endpoint that is not there", async () => {
    const gone = await scriptedEndpoint(() => "hangs");
    await gone.close();
    await sandbox.doomloop(["init", "qwen-code", "--yes", URL_OPTION, gone.url, "--opinion-model", "small"]);
    const { stdout, code } = await sandbox.doomloop(["doctor"], { TMPDIR: join(sandbox.folder, "tmp") });

    expect(stdout).toContain("ECONNREFUSED");
    expect(code).toBe(1);
  });
});
