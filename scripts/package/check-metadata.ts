import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Versioned {
  readonly version?: string;
}

/** Throws if the installed package does not say one version everywhere, or names files of its own that it lacks. Returns the version. */
export function checkMetadata(project: string): string {
  const home = join(project, "node_modules/doomloop");
  const manifest = read(home, "package.json") as Versioned & { files: string[]; openclaw: { extensions: string[] } };
  const program = execFileSync(process.execPath, [join(home, "dist/cli/main.js"), "--version"], { encoding: "utf8" });
  const { metadata } = read(home, "sbom.cdx.json") as { metadata: { component: Versioned } };
  const versions = {
    ".claude-plugin/plugin.json": (read(home, ".claude-plugin/plugin.json") as Versioned).version,
    // OpenClaw takes the version of package.json: what stands in its own file as well must agree.
    "openclaw.plugin.json": (read(home, "openclaw.plugin.json") as Versioned).version ?? manifest.version,
    "sbom.cdx.json": metadata.component.version,
    "doomloop --version": program.trim(),
    "CHANGELOG.md": /^## (\S+)$/m.exec(readFileSync(join(home, "CHANGELOG.md"), "utf8"))?.[1],
  };
  for (const [place, version] of Object.entries(versions)) {
    if (version !== manifest.version) throw new Error(`${place} says ${version}, package.json ${manifest.version}`);
  }
  const absent = [...manifest.files, ...manifest.openclaw.extensions].filter((file) => !existsSync(join(home, file)));
  if (absent.length > 0) throw new Error(`package.json names ${absent.join(", ")}, which the package lacks`);
  return `version ${manifest.version}`;
}

function read(home: string, file: string): unknown {
  return JSON.parse(readFileSync(join(home, file), "utf8"));
}
