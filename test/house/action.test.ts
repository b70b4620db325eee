import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { step, times } from "../builders.ts";
import { isFull } from "../campaign-size.ts";
import { trace } from "../cli-sandbox.ts";
import { action, actionText, createActionSandbox } from "./run-action.ts";

const root = resolve(import.meta.dirname, "../..");
const LOOP = times(16, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
const FINE = [1, 2, 3].flatMap((page) => step("read_page", { page }, `This is page ${page}.`));

// The package test runs the action once for each change.
describe.skipIf(!isFull || process.platform === "win32")("the GitHub action", () => {
  const sandbox = createActionSandbox();
  const { workspace } = sandbox;
  const write = (name: string, text: string) => writeFileSync(join(workspace, name), text);
  const run = (inputs: Readonly<Record<string, string>>) => sandbox.run({ package: "./package", ...inputs });
  write("loop.jsonl", trace({ loop: LOOP }));
  write("fine.jsonl", trace({ fine: FINE }));
  afterAll(() => sandbox.remove());

  it("annotates loops, fails the job on those that it is told to, and keeps the page all the same", async () => {
    const { code, stdout, summary, outputs } = await run({ paths: "fine.jsonl\nloop.jsonl\n", "fail-on": "block" });

    expect(code).toBe(10);
    expect(stdout).toContain("::error title=doomloop%3A");
    expect(summary).toMatch(/^### doomloop\n\n {4}\S/);
    expect(summary).toContain("read_file");
    expect(summary).not.toContain("::");
    expect(readFileSync(outputs.page!, "utf8")).toContain('"kind":"repeated-call"');
  });

  it("warns of loops if none of them fails the job", async () => {
    const { code, stdout } = await run({ paths: "loop.jsonl" });

    expect(code).toBe(0);
    expect(stdout).toContain("::warning title=doomloop%3A");
  });

  it("says in one line that there are no loops", async () => {
    const { code, stdout, summary, outputs } = await run({ paths: "fine.jsonl", "fail-on": "block" });

    expect(code).toBe(0);
    expect(stdout).not.toContain("::");
    expect(summary).toContain("    No loops in 1 session");
    expect(existsSync(outputs.page!)).toBe(true);
  });

  it("fails if there was nothing to scan, so that a job does not pass because of a wrong path", async () => {
    const { code } = await run({ "fail-on": "block" });

    expect(code).toBe(11);
  });

  it("runs nothing that an input holds, and takes a path that begins with a dash for a path", async () => {
    const name = "--html=$(touch pwned) `touch pwned` a'b\".jsonl";
    write(name, trace({ loop: LOOP }));
    const odd = await run({ paths: name });
    const wrong = await run({ paths: "loop.jsonl", "fail-on": 'block"; touch pwned; "' });
    const missing = await run({ paths: "fine.jsonl", package: "./$(touch pwned).tgz" });

    expect(odd.code).toBe(0);
    expect(odd.stdout).toContain("::warning");
    expect(wrong.code).toBe(2);
    expect(wrong.outputs).toEqual({});
    expect(missing.code).not.toBe(0);
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });
});

describe("the file of the action", () => {
  it("puts no input into a command", () => {
    expect(action.runs.steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  });

  it("pins what it uses, to the version of the workflows", () => {
    const used = [...actionText.matchAll(/uses: (.*)/g)].map(([, use]) => use);
    const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((file) =>
      readFileSync(join(root, file), "utf8"),
    );

    expect(used).toEqual([expect.stringMatching(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)]);
    for (const use of used) expect(workflows.join("\n")).toContain(`uses: ${use}`);
  });

  it("has every input that the pages show", () => {
    const pages = globSync("docs/*.md", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
    const blocks = pages.flatMap((page) =>
      [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, block = ""]) => block),
    );
    const steps = blocks
      .filter((block) => block.includes("uses: doomloop/doomloop@"))
      .flatMap((block) => parse(block) as readonly { readonly uses?: string; readonly with?: object }[])
      .filter(({ uses }) => uses?.startsWith("doomloop/doomloop@"));

    expect(steps.length).toBeGreaterThan(0);
    for (const { with: given = {} } of steps)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  });
});
