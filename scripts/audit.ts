import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditAnswer } from "./package/audit-answer.ts";
import { packageHome } from "./package/manifest.ts";

/**
 * Asks the registry about known vulnerabilities of what ships, and fails if there are any. Needs a build.
 *
 * `npm audit --omit=dev` would ask about nothing: the package has no dependencies, and what it bundles is a development dependency here. So the bill of
 * materials is made into a project, and that is asked about. If the registry does not answer, that is said, and is no failure.
 */
interface Part {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
}

const { components } = JSON.parse(readFileSync(join(packageHome, "sbom.cdx.json"), "utf8")) as { components: Part[] };
const { dependencies = {} } = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as {
  dependencies?: Record<string, string>;
};
const bundled = components.map(({ group, name, version }) => [
  group === undefined ? name : `${group}/${name}`,
  version,
]);
const parts = { ...dependencies, ...(Object.fromEntries(bundled) as Record<string, string>) };
const names = Object.entries(parts).map(([name, version]) => `${name} ${version}`);

const answer = ask();
if ("silence" in answer)
  console.log(`skipped: the registry does not say (${answer.silence}), asked about ${names.join(", ")}`);
else if (answer.findings.length === 0) console.log(`ok   nothing is known against ${names.join(", ")}`);
else {
  console.log(`FAIL known vulnerabilities:\n${answer.findings.join("\n")}`);
  process.exitCode = 1;
}

function ask() {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-audit-"));
  try {
    const root = { name: "audit", version: "0.0.0", dependencies: parts };
    const packages = Object.entries(parts).map(([name, version]) => [`node_modules/${name}`, { version }] as const);
    const lock = { name: "audit", lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(packages) } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(root));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    const words = ["audit", "--json", "--package-lock-only", "--fetch-retries=1", "--fetch-timeout=20000"];
    const shell = process.platform === "win32";
    return auditAnswer(spawnSync("npm", words, { cwd: folder, encoding: "utf8", shell }).stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
