import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Bump, changesetFault, renameHeadings, reopenVersion } from "./package/changelog.ts";
import { packageHome, readManifest } from "./package/manifest.ts";
import { programOf } from "./run-program.ts";

/**
 * Makes the next version of what the changesets say: its number, and its section of the changelog.
 *
 * It can be run again until the version has its tag: changesets that came since then go into the same version. If it fails, every file is as
 * it was.
 */
const root = resolve(import.meta.dirname, "..");
const changelogFile = join(packageHome, "CHANGELOG.md");
const manifestFile = join(packageHome, "package.json");

const faults = globSync("*.md", { cwd: join(root, ".changeset") })
  .filter((file) => file !== "README.md")
  .flatMap((file) => {
    const fault = changesetFault(readFileSync(join(root, ".changeset", file), "utf8"));
    return fault === undefined ? [] : [`.changeset/${file}: ${fault}`];
  });
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}

const { version: before } = readManifest();
const isOpen = existsSync(changelogFile) && !isReleased(before);
if (isOpen) console.log(`v${before} is no tag here, so its section is opened again; fetch tags if it was released`);
const takeBack = isOpen ? reopen() : () => {};
const { status, stdout, stderr } = spawnSync(process.execPath, [programOf("changeset"), "version"], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe"],
});
if (status !== 0) {
  takeBack();
  console.error(`${stdout}${stderr}changeset version failed, and the version is still ${before}`);
  process.exit(1);
}
writeFileSync(changelogFile, renameHeadings(readFileSync(changelogFile, "utf8")));
writeLockFile();
writePythonClient();
console.log(`${before} -> ${readManifest().version}`);

/** The lock file names the version, too. npm would write it anew, without the tools' binaries for other systems. */
function writeLockFile(): void {
  const file = join(root, "package-lock.json");
  const place = /("packages\/doomloop": \{\s+"version": )"[^"]*"/;
  writeFileSync(file, readFileSync(file, "utf8").replace(place, `$1"${readManifest().version}"`));
}

/** The Python client says that it has the same version. */
function writePythonClient(): void {
  const file = join(root, "clients/python/doomloop.py");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/^__version__ = "[^"]*"$/m, `__version__ = "${readManifest().version}"`));
}

function isReleased(version: string): boolean {
  return execFileSync("git", ["tag", "--list", `v${version}`], { cwd: root, encoding: "utf8" }).trim() !== "";
}

/** Makes changesets of the version's section, and goes back to the version before. Returns what undoes it. */
function reopen(): () => void {
  const [changelogBefore, manifestBefore] = [changelogFile, manifestFile].map((file) => readFileSync(file, "utf8"));
  const { version, changelog, texts } = reopenVersion(changelogBefore!);
  const made = (Object.entries(texts) as [Bump, string][]).map(([bump, text]) => {
    const file = join(root, `.changeset/0-unreleased-${bump}.md`);
    writeFileSync(file, `---\n"doomloop": ${bump}\n---\n\n${text}\n`);
    return file;
  });
  if (changelog === "") rmSync(changelogFile);
  else writeFileSync(changelogFile, changelog);
  writeFileSync(manifestFile, manifestBefore!.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  return () => {
    for (const file of made) rmSync(file, { force: true });
    writeFileSync(changelogFile, changelogBefore!);
    writeFileSync(manifestFile, manifestBefore!);
  };
}
