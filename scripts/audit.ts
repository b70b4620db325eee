import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageHome, readManifest } from "./package/manifest.ts";
import { npm } from "./run-program.ts";

/** What a registry knows of packages: findings, each in a line, or that it did not say. */
type AuditAnswer = { readonly findings: readonly string[] } | { readonly silence: string };

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly message?: string;
}

interface Part {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
}

if (import.meta.main) audit();

/**
 * Asks the registry about known vulnerabilities of what ships, and fails if there are any. Needs a build.
 *
 * `npm audit --omit=dev` would ask about nothing: the package has no dependencies, and what it bundles is a development dependency here. So the bill of
 * materials is made into a project, and that is asked about. If the registry does not answer, that is said, and is no failure.
 */
function audit(): void {
  const { components } = JSON.parse(readFileSync(join(packageHome, "sbom.cdx.json"), "utf8")) as { components: Part[] };
  const bundled = components.map(({ group, name, version }) => [group ? `${group}/${name}` : name, version]);
  const parts = { ...readManifest().dependencies, ...(Object.fromEntries(bundled) as Record<string, string>) };
  const names = Object.entries(parts).map(([name, version]) => `${name} ${version}`);
  const answer = ask(parts);
  if ("silence" in answer)
    console.log(`skipped: the registry does not say (${answer.silence}), asked about ${names.join(", ")}`);
  else if (answer.findings.length === 0) console.log(`ok   nothing is known against ${names.join(", ")}`);
  else {
    console.log(`FAIL known vulnerabilities:\n${answer.findings.join("\n")}`);
    process.exitCode = 1;
  }
}

function ask(parts: Readonly<Record<string, string>>): AuditAnswer {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-audit-"));
  try {
    const root = { name: "audit", version: "0.0.0", dependencies: parts };
    const packages = Object.entries(parts).map(([name, version]) => [`node_modules/${name}`, { version }] as const);
    const lock = { name: "audit", lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(packages) } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(root));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    return auditAnswer(
      npm(["audit", "--json", "--package-lock-only", "--fetch-retries=1", "--fetch-timeout=20000"], folder),
    );
  } catch (fault) {
    // It also ends with an error if it found something, or did not reach the registry.
    return auditAnswer((fault as { stdout?: string }).stdout ?? "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads what `npm audit --json` printed. What is no report is no finding: the registry was not reached, or does not know the question. */
function auditAnswer(output: string): AuditAnswer {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { silence: "no answer" };
  }
  const { vulnerabilities, message = "no answer" } = report;
  if (vulnerabilities === undefined) return { silence: message.split("\n")[0]!.replace(/ https?:\/\/\S+/, "") };
  return {
    findings: Object.entries(vulnerabilities).map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}
