import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namesOf } from "../../scripts/new/plan.ts";
import { programOf } from "../../scripts/run-program.ts";

const root = resolve(import.meta.dirname, "../..");
const source = "packages/doomloop/src";
/** What the generated files lean on. */
const NEEDED = [
  ...["package.json", "biome.json", "tsconfig.json", "tsconfig.base.json", ".gitignore", "scripts", "docs/adapters"],
  ...["packages/doomloop/package.json", "packages/doomloop/surface.txt", source, "test"],
];
const NOT_NEEDED = /^(?:test\/(?:hosts\/(?!shared|tsconfig)[^/]+|viewer|stores)|packages\/doomloop\/src\/cli)\//;
const TESTS = [
  `${source}/transcripts/acme/reader.test.ts`,
  `${source}/agents/acme-code/reader.test.ts`,
  `${source}/agents/acme-code/agent.test.ts`,
  "test/hosts/acme-agents/contract.test.ts",
];

let folder: string;

/** Runs a program in the copy, as somebody would at a prompt. */
function run(program: string, ...options: readonly string[]): { status: number | null; output: string } {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  // As in CI: a golden file that is missing is a fault, and is not written. The contracts' properties have runs of their own elsewhere.
  const env = { ...Object.fromEntries(own), CI: "1", DOOMLOOP_PROPERTY_RUNS: "40" };
  const { status, stdout, stderr } = spawnSync(program, options, { cwd: folder, encoding: "utf8", env });
  return { status, output: `${stdout}${stderr}` };
}

const generate = (...words: readonly string[]) => run(process.execPath, "scripts/new.ts", ...words);
const tool = (name: string, ...words: readonly string[]) => run(process.execPath, programOf(name), ...words);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-new-"));
  for (const path of NEEDED) {
    const filter = (from: string) => !NOT_NEEDED.test(`${relative(root, from).replaceAll("\\", "/")}/`);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  run("git", "init", "--quiet");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what npm run new writes", () => {
  it.each([
    ["agent", "acme-code"],
    ["reader", "acme"],
    ["adapter", "acme-agents"],
  ])("is a whole %s, and it says what is next", (kind, name) => {
    const { status, output } = generate(kind, name);

    expect(status, output).toBe(0);
    expect(output).toMatch(/^wrote {4}packages/);
    expect(output).toContain("\nchanged  packages/");
    expect(output).toContain("\nNext:\n- np");
    // A list that is out of date now makes a check fail: what to do about it must be said.
    const surface = run(process.execPath, "scripts/write-surface.ts", "--check");
    expect(output.includes("node scripts/write-surface.ts"), surface.output).toBe(surface.status !== 0);
  });

  it("has types that hold", () => {
    const config = {
      extends: "./tsconfig.json",
      include: [
        ...[`${source}/transcripts/acme`, `${source}/agents/acme-code`, `${source}/agents/index.ts`],
        ...["test/hosts/acme-agents", `${source}/adapters/acme-agents`],
      ],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.generated.json"), JSON.stringify(config));

    expect(tool("tsc", "--noEmit", "--project", "tsconfig.generated.json")).toEqual({ status: 0, output: "" });
  });

  it("breaks no rule of the house's linter", () => {
    const agents = [`${source}/agents/acme-code`, `${source}/agents/index.ts`, `${source}/transcripts/acme`];
    const hosts = [`${source}/adapters/acme-agents`, "test/hosts/acme-agents", "packages/doomloop/package.json"];

    expect(tool("biome", "check", "--error-on-warnings", ...agents, ...hosts)).toMatchObject({ status: 0 });
  });

  it("passes its tests, which are those that hold every other of its kind", () => {
    writeFileSync(
      join(folder, "vitest.generated.ts"),
      `import { defineConfig } from "vitest/config";
       import { sourceAliases } from "./test/source-aliases.ts";
       export default defineConfig({ resolve: { alias: sourceAliases }, test: { isolate: false, maxWorkers: 1 } });`,
    );
    const report = join(folder, "report.json");
    const { output } = tool(
      ...(["vitest", "run", "--config", "vitest.generated.ts"] as const),
      ...["--reporter=json", `--outputFile=${report}`, ...TESTS],
    );
    const { success, testResults, numTodoTests } = JSON.parse(readFileSync(report, "utf8")) as {
      success: boolean;
      numTodoTests: number;
      testResults: { name: string; assertionResults: { status: string }[] }[];
    };
    const passedIn = (file: string) =>
      testResults
        .find(({ name }) => name.replaceAll("\\", "/").endsWith(file))
        ?.assertionResults.filter(({ status }) => status === "passed").length ?? 0;

    expect(success, output).toBe(true);
    expect(numTodoTests).toBe(0);
    for (const file of TESTS) expect(passedIn(file), file).toBeGreaterThan(12);
  });
});

describe("npm run new", () => {
  it.each([
    ["agent", "codex", "agents/codex/README.md already exists"],
    ["reader", "otel", "transcripts/otel/README.md already exists"],
    ["adapter", "mcp", "adapters/mcp/index.ts already exists"],
    ["adapter", "testing", "doomloop/testing already exists"],
  ])("overwrites nothing: %s %s", (kind, name, words) => {
    const list = join(folder, source, "agents/index.ts");
    const before = readFileSync(list, "utf8");

    expect(generate(kind, name)).toMatchObject({ status: 1, output: expect.stringContaining(words) });
    expect(readFileSync(list, "utf8")).toBe(before);
  });

  it.each([[], ["reader"], ["plugin", "idle-talk"], ["constructor", "a"], ["reader", "a", "b"]])(
    "says how it is used: %j",
    (...words) => {
      expect(generate(...words)).toEqual({ status: 2, output: expect.stringContaining("Usage: npm run new") });
    },
  );

  it.each(["IdleTalk", "idle_talk", "idle--talk", "-idle", "idle-", "1-idle", "../idle", "a/b", "a".repeat(41)])(
    "refuses the name %j",
    (name) => {
      expect(() => namesOf(name)).toThrow(/^new: a name of lower-case words and hyphens is required/);
    },
  );

  it.each(["new", "class", "undefined"])("refuses %j, which is reserved", (name) => {
    expect(() => namesOf(name)).toThrow(`new: ${name} is reserved`);
  });

  it.each([
    ...["agent", "input"].map((name) => ["agent", name] as const),
    ...["readers", "label", "open"].map((name) => ["reader", name] as const),
  ])("refuses a %s called %s, because the code beside it uses that name", (kind, name) => {
    const { status, output } = generate(kind, name);

    expect(output).toBe(`new: ${name} is reserved, since the code around it uses that name already\n`);
    expect(status).toBe(1);
  });

  it("writes nothing where the formatter cannot run", () => {
    const aside = mkdtempSync(join(tmpdir(), "doomloop-new-bare-"));
    try {
      for (const path of ["scripts", `${source}/scan/readers.ts`])
        cpSync(join(root, path), join(aside, path), { recursive: true });
      const { status, output } = run(process.execPath, join(aside, "scripts/new.ts"), "reader", "bare-talk");

      expect(output).toContain("new: the formatter is required, run npm ci first");
      expect(status).toBe(1);
      expect(existsSync(join(aside, source, "transcripts/bare-talk/reader.ts"))).toBe(false);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  });

  it("knows a name in every spelling", () => {
    expect(namesOf("idle-talk")).toEqual({
      kebab: "idle-talk",
      camel: "idleTalk",
      pascal: "IdleTalk",
      label: "Idle talk",
    });
  });
});
