import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programOf } from "../../scripts/program-of.ts";

const root = resolve(import.meta.dirname, "../..");
const source = "packages/doomloop/src";

interface Case {
  title: string;
  file: string;
  code: string;
  /** The rule that must speak; none means that the file must pass. */
  rule?: string;
}

const imports = (path: string) => `import { x } from "${path}";\nexport const y = x;\n`;
const uses = (expression: string) => `export const y = ${expression};\n`;

const IMPORTS = "style/noRestrictedImports";
const GLOBALS = "style/noRestrictedGlobals";
const PROPERTIES = "nursery/noJsRestrictedProperties";

const coreImports: Case[] = [
  { title: "a module of Node", file: "core/node.ts", code: imports("node:fs"), rule: IMPORTS },
  { title: "a bare module of Node", file: "core/bare.ts", code: imports("fs"), rule: IMPORTS },
  { title: "another package", file: "core/package.ts", code: imports("commander"), rule: IMPORTS },
  {
    title: "a type of another package",
    file: "core/type.ts",
    code: 'export type { X } from "commander";\n',
    rule: IMPORTS,
  },
  { title: "a module at run time", file: "core/dynamic.ts", code: uses('await import("node:fs")'), rule: IMPORTS },
  { title: "a layer above", file: "core/above.ts", code: imports("../adapters/x.ts"), rule: IMPORTS },
  {
    title: "a layer above, one folder down",
    file: "core/a/above.ts",
    code: imports("../../fleet/x.ts"),
    rule: IMPORTS,
  },
  { title: "a layer above, deep down", file: "core/a/b/above.ts", code: imports("../../../index.ts"), rule: IMPORTS },
  { title: "a file beside", file: "core/beside.ts", code: imports("./event.ts") },
  { title: "a file of a folder", file: "core/folder.ts", code: imports("./memory/run.ts") },
  { title: "a file above, inside core", file: "core/a/inside.ts", code: imports("../event.ts") },
  { title: "a file above, inside core, deep down", file: "core/a/b/inside.ts", code: imports("../../event.ts") },
  { title: "a test tool in a test", file: "core/guard.test.ts", code: imports("fast-check") },
];

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

const layers = ["adapters", "fleet", "hooks", "telemetry", "testing", "transcripts", "workspace"];

const siblingsOf = (layer: string): Case[] => [
  ...layers
    // Hooks read what agents write as the readers of transcripts do.
    .filter((other) => other !== layer && !(layer === "hooks" && other === "transcripts"))
    .flatMap((other) => [
      { title: other, file: `${layer}/to-${other}.ts`, code: imports(`../${other}/x.ts`), rule: IMPORTS },
      { title: other, file: `${layer}/a/to-${other}.ts`, code: imports(`../../${other}/b/x.ts`), rule: IMPORTS },
    ]),
  { title: "cli", file: `${layer}/to-cli.ts`, code: imports("../cli/main.ts"), rule: IMPORTS },
  { title: "core", file: `${layer}/to-core.ts`, code: imports("../core/guard.ts") },
  {
    title: "its own",
    file: `${layer}/a/to-own.ts`,
    code: imports(layer === "adapters" ? "../../host/x.ts" : "../b/x.ts"),
  },
];

const adapterImports: Case[] = [
  { title: "its own files", file: "adapters/a/own.ts", code: imports("./x.ts") },
  { title: "what all adapters share", file: "adapters/a/shared.ts", code: imports("../../host/host-runs.ts") },
  { title: "the main import path", file: "adapters/a/main.ts", code: imports("../../index.ts") },
  { title: "core", file: "adapters/a/core.ts", code: imports("../../core/decision.ts") },
  { title: "a test tool in a test", file: "adapters/a/own.test.ts", code: imports("vitest") },
  { title: "another adapter", file: "adapters/a/other.ts", code: imports("../b/x.ts"), rule: IMPORTS },
  { title: "an adapter in what all share", file: "host/other.ts", code: imports("../adapters/a/x.ts"), rule: IMPORTS },
  { title: "core in what all share", file: "host/core.ts", code: imports("../core/guard.ts") },
  { title: "Node in what all share", file: "host/node.ts", code: imports("node:fs"), rule: IMPORTS },
  { title: "core in what redacts", file: "redact/core.ts", code: imports("../core/event.ts") },
  { title: "Node in what redacts", file: "redact/node.ts", code: imports("node:crypto"), rule: IMPORTS },
  { title: "the command line in what redacts", file: "redact/cli.ts", code: imports("../cli/main.ts"), rule: IMPORTS },
  { title: "readers of transcripts in hooks", file: "hooks/a/read.ts", code: imports("../../transcripts/codex/x.ts") },
  { title: "a framework", file: "adapters/a/framework.ts", code: imports("ai"), rule: IMPORTS },
  {
    title: "a framework's types",
    file: "adapters/a/framework-types.ts",
    code: 'import type { X } from "ai";\nexport type Y = X;\n',
    rule: IMPORTS,
  },
  { title: "a module of Node", file: "adapters/a/node.ts", code: imports("node:fs"), rule: IMPORTS },
  { title: "another layer", file: "adapters/a/fleet.ts", code: imports("../../fleet/fleet.ts"), rule: IMPORTS },
];

const telemetryImports: Case[] = [
  { title: "the API of OpenTelemetry", file: "telemetry/api.ts", code: imports("@opentelemetry/api"), rule: IMPORTS },
  { title: "a test tool in a test", file: "telemetry/own.test.ts", code: imports("vitest") },
  { title: "an SDK", file: "telemetry/sdk.ts", code: imports("@opentelemetry/sdk-metrics"), rule: IMPORTS },
  { title: "a module of Node", file: "telemetry/node.ts", code: imports("node:fs"), rule: IMPORTS },
  { title: "a sibling in a test", file: "telemetry/fleet.test.ts", code: imports("../fleet/x.ts"), rule: IMPORTS },
];

const importersOf = (layer: string): Case[] => [
  { title: "cli", file: `cli/to-${layer}.ts`, code: imports(`../${layer}/x.ts`) },
  { title: "the main import path", file: `to-${layer}.ts`, code: imports(`./${layer}/x.ts`), rule: IMPORTS },
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
    const crossings = layers.flatMap((layer) => [...siblingsOf(layer), ...importersOf(layer)]);
    for (const { file, code } of [
      ...coreImports,
      ...coreGlobals,
      ...adapterImports,
      ...telemetryImports,
      ...crossings,
      ...habits,
    ]) {
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

  describe("around core's imports", () => {
    it.each(coreImports.filter(isForbidden))("forbids $title", verify);
    it.each(coreImports.filter(isPermitted))("permits $title", verify);
  });

  describe("around core's globals", () => {
    it.each(coreGlobals.filter(isForbidden))("forbids $title", verify);
    it.each(coreGlobals.filter(isPermitted))("permits $title", verify);
  });

  describe("between the layers above core", () => {
    it.each(layers)("lets %s import core and its own, not its siblings and not the CLI", (layer) => {
      for (const each of siblingsOf(layer)) verify(each);
    });

    it.each(layers)("lets the CLI import %s, and the main import path not", (layer) => {
      for (const each of importersOf(layer)) verify(each);
    });
  });

  describe("around an adapter's imports", () => {
    it.each(adapterImports.filter(isForbidden))("forbids $title", verify);
    it.each(adapterImports.filter(isPermitted))("permits $title", verify);
  });

  describe("around telemetry's imports", () => {
    it.each(telemetryImports.filter(isForbidden))("forbids $title", verify);
    it.each(telemetryImports.filter(isPermitted))("permits $title", verify);
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
