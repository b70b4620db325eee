import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledPackage } from "./bundled-packages.ts";
import { packageHome } from "./manifest.ts";

const INTRODUCTION = "Parts of these packages are in doomloop's files. Their licences follow.";

/** Writes the licences of the packages that are in our files beside them, as each of them asks for. */
export function writeNotices(packages: readonly BundledPackage[]): void {
  const notices = packages.map(({ name, version, licenceText }) => `${name} ${version}\n\n${licenceText}`);
  writeFileSync(join(packageHome, "THIRD-PARTY-NOTICES.txt"), `${[INTRODUCTION, ...notices].join("\n\n")}\n`);
}
