import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { packageHome } from "./package/manifest.ts";
import { pack } from "./package/pack.ts";
import { releaseNotes } from "./package/release-notes.ts";

/**
 * Puts into a folder what a release consists of: the tarball, the bill of materials, their hashes, and the words about it. Needs a build.
 *
 * `TAG` is the tag that is released. It must name the version that package.json names.
 */
const folder = resolve(process.argv[2] ?? "release");
const { version } = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as { version: string };
const tag = process.env.TAG;
if (tag !== `v${version}`) throw new Error(`collect-release: the tag v${version} is required, got ${tag}`);

mkdirSync(folder, { recursive: true });
const tarball = pack(folder);
const bill = join(folder, "sbom.cdx.json");
copyFileSync(join(packageHome, "sbom.cdx.json"), bill);
const sums = [tarball, bill].map((file) => `${hashOf(file)}  ${basename(file)}\n`).join("");
writeFileSync(join(folder, "SHA256SUMS"), sums);
writeFileSync(join(folder, "notes.md"), releaseNotes(readFileSync(join(packageHome, "CHANGELOG.md"), "utf8"), version));
console.log(sums.trim());

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
