import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageHome } from "./package/manifest.ts";
import { type Bump, renameHeadings, reopenVersion } from "./package/reopen-version.ts";

/**
 * Makes the next version of what the changesets say: its number, and its section of the changelog.
 *
 * It can be run again until the version has its tag: changesets that came since then go into the same version.
 */
const root = resolve(import.meta.dirname, "..");
const changelogFile = join(packageHome, "CHANGELOG.md");
const manifestFile = join(packageHome, "package.json");

const before = currentVersion();
if (existsSync(changelogFile) && !isReleased(before)) reopen();
execFileSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
writeFileSync(changelogFile, renameHeadings(readFileSync(changelogFile, "utf8")));
writeLockFile();
console.log(`${before} -> ${currentVersion()}`);

function currentVersion(): string {
  return (JSON.parse(readFileSync(manifestFile, "utf8")) as { version: string }).version;
}

/** The lock file names the version, too. npm would write it anew, without the tools' binaries for other systems. */
function writeLockFile(): void {
  const file = join(root, "package-lock.json");
  const place = /("packages\/doomloop": \{\s+"version": )"[^"]*"/;
  writeFileSync(file, readFileSync(file, "utf8").replace(place, `$1"${currentVersion()}"`));
}

function isReleased(version: string): boolean {
  return execFileSync("git", ["tag", "--list", `v${version}`], { cwd: root, encoding: "utf8" }).trim() !== "";
}

/** Makes changesets of the version's section, and goes back to the version before. */
function reopen(): void {
  const { version, changelog, texts } = reopenVersion(readFileSync(changelogFile, "utf8"));
  for (const [bump, text] of Object.entries(texts) as [Bump, string][])
    writeFileSync(join(root, `.changeset/0-unreleased-${bump}.md`), `---\n"doomloop": ${bump}\n---\n\n${text}\n`);
  if (changelog === "") rmSync(changelogFile);
  else writeFileSync(changelogFile, changelog);
  const manifest = readFileSync(manifestFile, "utf8");
  writeFileSync(manifestFile, manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`));
}
