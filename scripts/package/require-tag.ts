import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";
import { releaseNotes } from "./release-notes.ts";

/** Throws unless a tag names the version that package.json names, and the changelog has a section for it. Returns that section. */
export function requireTag(tag: string | undefined, home: string = packageHome): string {
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  if (tag !== `v${version}`) throw new Error(`release: the tag v${version} is required, got ${tag}`);
  return releaseNotes(readFileSync(join(home, "CHANGELOG.md"), "utf8"), version);
}
