import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const files = globSync(".github/workflows/*.{yml,yaml}", { cwd: root }).sort();
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };

describe("the workflows", () => {
  it("are there", () => {
    const names = ["ci", "codeql", "deep", "dependency-review", "docs", "release", "scorecard"];

    expect(files.map((file) => file.replaceAll("\\", "/"))).toEqual(
      names.map((name) => `.github/workflows/${name}.yml`),
    );
  });

  it.each(files)("%s does nothing that the house forbids", (file) => {
    expect(faultsOf(readFileSync(join(root, file), "utf8"))).toEqual([]);
  });

  it("use one version of each action", () => {
    const versions = new Map<string, Set<string>>();
    for (const file of files) {
      for (const [, action = "", pin = ""] of readFileSync(join(root, file), "utf8").matchAll(
        /uses: ([^@\s]+)@(.*)/g,
      )) {
        // Parts of one repository are one action.
        const repository = action.split("/").slice(0, 2).join("/");
        versions.set(repository, (versions.get(repository) ?? new Set()).add(pin));
      }
    }

    expect([...versions].filter(([, pins]) => pins.size > 1).map(([action]) => action)).toEqual([]);
  });
});

describe("a release", () => {
  const text = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");

  it("begins with its tag", () => {
    expect(text).toMatch(/^jobs:\n {2}tag:\n/m);
    expect(text).toMatch(/\n {2}ci:\n {4}needs: tag\n/);
    expect(text).toMatch(/\n {2}build:\n {4}needs: \[ci, deep\]\n/);
  });

  it("compares what it publishes with hashes that came by another way than the files", () => {
    expect(text).toContain("{{ steps.collect.outputs.sums }}");
    expect(text).toContain("{{ needs.build.outputs.sums }}");
    expect(text.indexOf("sha256sum --check")).toBeLessThan(text.indexOf("npm publish ./"));
  });
});

describe("a rehearsal", () => {
  const jobs = readFileSync(join(root, ".github/workflows/release.yml"), "utf8").split(/\n(?= {2}[a-z]+:\n)/);
  const jobOf = (name: string): string => jobs.find((job) => job.startsWith(`  ${name}:`)) ?? "";

  it("can be started by hand, and publishes and announces nothing", () => {
    expect(jobs.join("\n")).toContain("\n  workflow_dispatch:");
    expect(jobOf("publish")).toContain("if: github.ref_type == 'tag'");
    expect(jobOf("announce")).toContain("needs: publish");
    expect(jobOf("build")).toContain("npm publish --dry-run");
  });
});

/** What a workflow does that it must not, each in a line. */
function faultsOf(text: string): string[] {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, word = ""]) => word);
  const top = /^permissions:\n((?: {2}.*\n)+)/m.exec(text)?.[1]?.trim() ?? "none";
  const checkouts = all(/(actions\/checkout@.*\n(?: {8}.*\n)*)/g);
  return [
    ...all(/uses: (.*)/g)
      .filter((use) => !isPinned(use))
      .map((use) => `${use} is not pinned to a hash, with its version behind`),
    ...(top === "contents: read" ? [] : [`permissions at the top are ${top}`]),
    ...all(/npm run ([\w:-]+)/g)
      .filter((name) => !(name in scripts))
      .map((name) => `npm run ${name} does not exist`),
    ...all(/node (scripts\/\S+)/g)
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${name} does not exist`),
    ...all(/secrets\.(\w+)/g)
      .filter((name) => name !== "GITHUB_TOKEN")
      .map((name) => `the secret ${name} is used`),
    ...commandsOf(text)
      .filter((command) => command.includes("${{"))
      .map((command) => `a command holds foreign text: ${command}`),
    ...checkouts
      .filter((step) => !step.includes("persist-credentials: false"))
      .map(() => "a checkout keeps its credentials"),
    ...(text.includes("pull_request_target") ? ["pull_request_target runs the code of strangers with our rights"] : []),
    ...(all(/( {4}timeout-minutes: )/g).length === all(/( {4}runs-on: )/g).length ? [] : ["a job has no timeout"]),
    ...(/^concurrency:/m.test(text) ? [] : ["concurrency is not limited"]),
  ];
}

/** A file of ours, or a commit with the version that it had when it was chosen. */
function isPinned(use: string): boolean {
  return use.startsWith("./.github/workflows/") || /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use);
}

/** Commands on one line, and those below a bar. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^( *)(?:- )?run: [|>]\n((?:\1 {2,}.*\n|\n)+)/gm)].map(([, , block = ""]) => block);
  const lines = [...text.matchAll(/run: (?![|>])(.*)/g)].map(([, line = ""]) => line);
  return [...blocks, ...lines];
}
