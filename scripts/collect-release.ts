import { createHash } from "node:crypto";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { packageHome, readManifest } from "./package/manifest.ts";
import { pack } from "./package/tarball.ts";

/**
 * Puts into a folder what a release consists of: the tarball, the bill of materials, their hashes, and the words about it. Needs a build.
 *
 * `TAG` is the tag that is released. It must name the version that package.json names. With `--check`, only that is checked: a release begins with
 * it, because all that follows takes half an hour. `GITHUB_OUTPUT` names the file through which a job of GitHub Actions hands the hashes to the next
 * one.
 */
const [folder = "release"] = process.argv.slice(2);
const { TAG, GITHUB_OUTPUT } = process.env;
const { version } = readManifest();
if (TAG !== `v${version}`) throw new Error(`release: the tag v${version} is required, got ${TAG}`);
const changelog = readFileSync(join(packageHome, "CHANGELOG.md"), "utf8").split(/^(?=## )/m);
const section = changelog.find((part) => part.startsWith(`## ${version}\n`));
if (section === undefined) throw new Error(`release: a section for ${version} is required in the changelog`);
if (folder !== "--check") collect(resolve(folder));

function collect(target: string): void {
  mkdirSync(target, { recursive: true });
  const tarball = pack(target);
  const bill = join(target, "sbom.cdx.json");
  copyFileSync(join(packageHome, "sbom.cdx.json"), bill);
  const sums = [tarball, bill].map((file) => `${hashOf(file)}  ${basename(file)}\n`).join("");
  writeFileSync(join(target, "SHA256SUMS"), sums);
  writeFileSync(join(target, "notes.md"), `${section!.slice(section!.indexOf("\n")).trim()}\n`);
  if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `sums<<END\n${sums}END\n`);
  console.log(sums.trim());
}

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
