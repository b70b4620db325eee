import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programOf } from "../../scripts/run-program.ts";
import { wallFaults } from "../../scripts/walls.ts";

const root = resolve(import.meta.dirname, "../..");
const source = "packages/doomloop/src";

interface Case {
  title: string;
  file: string;
  code: string;
  /** The rule that must speak; none means that the file must pass. */
  rule?: string;
}

/** A source file and what it imports. */
const PERMITTED: readonly (readonly [file: string, module: string])[] = [
  ["core/beside.ts", "./event.ts"],
  ["core/a/inside.ts", "../event.ts"],
  ["core/guard.test.ts", "fast-check"],
  ["host/core.ts", "../core/guard.ts"],
  ["adapters/a/own.ts", "./x.ts"],
  ["adapters/a/shared.ts", "../../host/host-runs.ts"],
  ["adapters/a/main.ts", "../../index.ts"],
  ["agents/a/read.ts", "../../transcripts/reader.ts"],
  ["agents/a/restore.ts", "../../workspace/x.ts"],
  ["agents/hook/list.ts", "../a/hook.ts"],
  ["scan/read.ts", "../agents/index.ts"],
  ["scan/show.ts", "./report/report.ts"],
  ["scan/redact/core.ts", "../../core/event.ts"],
  ["service/answer.ts", "../agents/hook/x.ts"],
  ["cli/all.ts", "../scan/x.ts"],
  ["cli/packages.ts", "commander"],
  ["fleet/node.ts", "node:crypto"],
];

const FORBIDDEN: readonly (readonly [file: string, module: string])[] = [
  ["core/node.ts", "node:fs"],
  ["core/bare.ts", "fs"],
  ["core/package.ts", "commander"],
  ["core/above.ts", "../adapters/x.ts"],
  ["core/a/above.ts", "../../fleet/x.ts"],
  ["core/a/b/above.ts", "../../../index.ts"],
  ["host/node.ts", "node:fs"],
  ["host/other.ts", "../adapters/a/x.ts"],
  ["adapters/a/other.ts", "../b/x.ts"],
  ["adapters/a/framework.ts", "ai"],
  ["adapters/a/node.ts", "node:fs"],
  ["adapters/a/fleet.ts", "../../fleet/fleet.ts"],
  ["telemetry/sdk.ts", "@opentelemetry/sdk-metrics"],
  ["telemetry/fleet.ts", "../fleet/x.ts"],
  ["fleet/workspace.ts", "../workspace/x.ts"],
  ["fleet/client.ts", "ioredis"],
  ["workspace/agents.ts", "../agents/x.ts"],
  ["transcripts/agents.ts", "../agents/x.ts"],
  ["agents/a/scan.ts", "../../scan/x.ts"],
  ["agents/a/cli.ts", "../../cli/x.ts"],
  ["scan/cli.ts", "../cli/x.ts"],
  ["scan/report/node.ts", "node:fs"],
  ["scan/report/scan.ts", "../run-scan.ts"],
  ["scan/redact/node.ts", "node:crypto"],
  ["service/scan.ts", "../scan/x.ts"],
  ["index.ts", "./fleet/index.ts"],
  ["garden/x.ts", "./y.ts"],
];

const imports = (path: string) => `import { x } from "${path}";\nexport const y = x;\n`;
const uses = (expression: string) => `export const y = ${expression};\n`;

const GLOBALS = "style/noRestrictedGlobals";
const PROPERTIES = "nursery/noJsRestrictedProperties";

const coreGlobals: Case[] = [
  { title: "Date", file: "core/date.ts", code: uses("Date.now()"), rule: GLOBALS },
  { title: "new Date", file: "core/new-date.ts", code: uses("new Date()"), rule: GLOBALS },
  { title: "performance", file: "core/performance.ts", code: uses("performance.now()"), rule: GLOBALS },
  { title: "process", file: "core/process.ts", code: uses("process.pid"), rule: GLOBALS },
  { title: "setTimeout", file: "core/timeout.ts", code: uses("setTimeout(String, 1)"), rule: GLOBALS },
  { title: "console", file: "core/console.ts", code: uses("console.log"), rule: GLOBALS },
  { title: "crypto", file: "core/crypto.ts", code: uses("crypto.randomUUID()"), rule: GLOBALS },
  { title: "fetch", file: "core/fetch.ts", code: uses("fetch"), rule: GLOBALS },
  { title: "globalThis", file: "core/global-this.ts", code: uses("globalThis"), rule: GLOBALS },
  { title: "Intl", file: "core/intl.ts", code: uses("Intl"), rule: GLOBALS },
  { title: "Math.random", file: "core/random.ts", code: uses("Math.random()"), rule: PROPERTIES },
  { title: "localeCompare", file: "core/locale.ts", code: uses('"a".localeCompare("b")'), rule: PROPERTIES },
  { title: "Math.floor", file: "core/floor.ts", code: uses("Math.floor(1.5)") },
];

const habits: Case[] = [
  { title: "a default export", file: "fleet/default.ts", code: "export default 1;\n", rule: "style/noDefaultExport" },
  { title: "export *", file: "fleet/star.ts", code: 'export * from "./x.ts";\n', rule: "performance/noReExportAll" },
  {
    title: "an import without extension",
    file: "fleet/bare.ts",
    code: imports("./star"),
    rule: "correctness/useImportExtensions",
  },
  { title: "an enum", file: "fleet/enum.ts", code: "export enum A { B = 1 }\n", rule: "style/noEnum" },
  {
    title: "a namespace",
    file: "fleet/space.ts",
    code: "export namespace A { export const b = 1; }\n",
    rule: "style/noNamespace",
  },
  { title: "console in the library", file: "fleet/log.ts", code: 'console.log("x");\n', rule: "suspicious/noConsole" },
  { title: "console in the CLI", file: "cli/log.ts", code: 'console.log("x");\n' },
  { title: "process.env in the library", file: "fleet/env.ts", code: uses("process.env"), rule: "style/noProcessEnv" },
  { title: "process.env in the CLI", file: "cli/env.ts", code: uses("process.env") },
  {
    title: "a file name in camel case",
    file: "fleet/camelCase.ts",
    code: uses("1"),
    rule: "style/useFilenamingConvention",
  },
  { title: "a non-null assertion", file: "fleet/assert.ts", code: "export const f = (a: number[]) => a[0]!;\n" },
  {
    title: "one half of a cycle",
    file: "fleet/cycle-a.ts",
    code: imports("./cycle-b.ts"),
    rule: "suspicious/noImportCycles",
  },
  {
    title: "the other half of a cycle",
    file: "fleet/cycle-b.ts",
    code: 'import { y } from "./cycle-a.ts";\nexport const x = () => y;\n',
    rule: "suspicious/noImportCycles",
  },
];

describe("the walls", () => {
  let folder: string;
  let rulesOf: Map<string, string[]>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "doomloop-walls-"));
    copyFileSync(join(root, "biome.json"), join(folder, "biome.json"));
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), "node_modules/\n");
    for (const { file, code } of [...coreGlobals, ...habits]) {
      const path = join(folder, source, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, code);
    }
    rulesOf = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const verify = ({ file, rule }: Case) => {
    const rules = rulesOf.get(`${source}/${file}`) ?? [];
    if (rule === undefined) expect(rules, file).toEqual([]);
    else expect(rules, file).toContain(rule);
  };

  it.each(PERMITTED)("lets %s import %s", (file, module) => {
    expect(wallFaults(file, imports(module))).toEqual([]);
  });

  it.each(FORBIDDEN)("does not let %s import %s", (file, module) => {
    expect(wallFaults(file, imports(module))).toHaveLength(1);
  });

  it("sees types, re-exports, side effects and imports at run time", () => {
    for (const code of [
      'import type { X } from "ai";',
      'export type { X } from "ai";',
      'export { x } from "ai";',
      'import "ai";',
      'const x = await import("ai");',
      'import {\n  type X,\n  y,\n} from "ai";',
    ]) {
      expect(wallFaults("adapters/a/x.ts", `${code}\n`), code).toHaveLength(1);
    }
  });

  describe("around core's globals", () => {
    it.each(coreGlobals.filter(isForbidden))("forbids $title", verify);
    it.each(coreGlobals.filter(isPermitted))("permits $title", verify);
  });

  describe("against what the house does not do", () => {
    it.each(habits.filter(isForbidden))("forbids $title", verify);
    it.each(habits.filter(isPermitted))("permits $title", verify);
  });
});

function isForbidden({ rule }: Case): boolean {
  return rule !== undefined;
}

function isPermitted(each: Case): boolean {
  return !isForbidden(each);
}

/** Runs the linter over a folder and returns the rules that spoke, by file. */
function lint(folder: string): Map<string, string[]> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [programOf("biome"), "lint", "--reporter=json", "--max-diagnostics=none"],
    {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    },
  );
  if (!stdout.startsWith("{")) throw new Error(`biome: expected a JSON report, got ${stdout}${stderr}`);
  const report = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  const rules = new Map<string, string[]>();
  for (const { category, location } of report.diagnostics) {
    const path = location.path.replaceAll("\\", "/");
    rules.set(path, [...(rules.get(path) ?? []), category.replace("lint/", "")]);
  }
  return rules;
}
