import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programOf } from "../../scripts/run-program.ts";

const root = resolve(import.meta.dirname, "../..");
const source = "packages/doomloop/src";

/** A source file and what it imports. What may be imported is: the linter would find fault with the source. */
const FORBIDDEN = {
  "core/node.ts": "node:fs",
  "core/bare.ts": "fs",
  "core/package.ts": "commander",
  "core/above.ts": "../adapters/x.ts",
  "core/a/above.ts": "../../fleet/x.ts",
  "core/a/b/above.ts": "../../../index.ts",
  "host/node.ts": "node:fs",
  "host/other.ts": "../adapters/a/x.ts",
  "adapters/a/other.ts": "../b/x.ts",
  "adapters/a/framework.ts": "@scope/framework/tools",
  "adapters/a/fleet.ts": "../../fleet/fleet.ts",
  "telemetry/fleet.ts": "../fleet/x.ts",
  "fleet/client.ts": "ioredis",
  "workspace/agents.ts": "../agents/x.ts",
  "transcripts/agents.ts": "../agents/x.ts",
  "agents/a/scan.ts": "../../scan/x.ts",
  "scan/cli.ts": "../cli/x.ts",
  "scan/report/node.ts": "node:fs",
  "scan/report/scan.ts": "../run-scan.ts",
  "service/scan.ts": "../scan/x.ts",
  "index.ts": "./fleet/index.ts",
};

/** What core must do without. */
const UNKNOWN =
  "Date.now(); new Date(); performance.now(); process.pid; setTimeout(String, 1); console.log; fetch; Intl";
const OTHERS = 'crypto.randomUUID(); globalThis; Math.random(); "a".localeCompare("b")';
const USES = `${UNKNOWN}; ${OTHERS}`.split("; ");

describe("the walls", () => {
  let folder: string;
  let blamed: ReadonlySet<string>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "doomloop-walls-"));
    for (const file of ["biome.json", "walls.jsonc"]) copyFileSync(join(root, file), join(folder, file));
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    writeFileSync(join(folder, ".gitignore"), "node_modules/\n");
    for (const [file, module] of Object.entries(FORBIDDEN))
      write(file, `import { x } from "${module}";\nexport const y = x;\n`);
    for (const [at, use] of USES.entries()) write(`core/use-${at}.ts`, `export const y = ${use};\n`);
    blamed = lint(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(file: string, code: string): void {
    mkdirSync(dirname(join(folder, source, file)), { recursive: true });
    writeFileSync(join(folder, source, file), code);
  }

  it("stand around every folder of the source", () => {
    const walls = readFileSync(join(root, "walls.jsonc"), "utf8");
    const folders = readdirSync(join(root, source), { withFileTypes: true }).filter((entry) => entry.isDirectory());

    for (const { name } of folders) expect(walls, name).toContain(`"${source}/${name}/**"`);
  });

  it.each(Object.entries(FORBIDDEN))("don't let %s import %s", (file) => expect(blamed).toContain(file));

  it.each(USES.map((use, at) => [use, at] as const))("keep core from %s", (_use, at) => {
    expect(blamed).toContain(`core/use-${at}.ts`);
  });
});

/** The files that the linter finds fault with. */
function lint(folder: string): ReadonlySet<string> {
  const words = [programOf("biome"), "lint", "--reporter=json", "--max-diagnostics=none"];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
  if (!stdout.startsWith("{")) throw new Error(`biome: expected a JSON report, got ${stdout}${stderr}`);
  const report = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
  return new Set(
    report.diagnostics.map(({ location }) => location.path.replaceAll("\\", "/").slice(source.length + 1)),
  );
}
