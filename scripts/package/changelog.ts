import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageHome, readManifest } from "./manifest.ts";

const FRONT_MATTER = /^---\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
const LINE = /^(["']?)([^"':\s]+)\1:[ \t]*(["']?)([a-z]+)\3[ \t]*$/;
const BUMPS = new Set(["major", "minor", "patch"]);
/** The heading of a kind of change in the changelog, as readers of it would say. */
const HEADINGS = { major: "Breaking", minor: "New", patch: "Fixed" } as const;

export type Bump = keyof typeof HEADINGS;

export interface ReopenedVersion {
  /** The version before the one that was taken back. */
  readonly version: string;
  readonly changelog: string;
  /** What the version's section said, by the kind of change. */
  readonly texts: Readonly<Partial<Record<Bump, string>>>;
}

/** Why a changeset cannot become part of a version; nothing if it can. One that names no package is permitted: it releases nothing. */
export function changesetFault(text: string): string | undefined {
  const head = FRONT_MATTER.exec(text)?.[1];
  if (head === undefined) return 'it begins with no lines such as ---, "doomloop": patch, ---';
  for (const line of head.split(/\r?\n/).filter((each) => each.trim() !== "")) {
    const [, , name, , bump = ""] = LINE.exec(line) ?? [];
    if (name === undefined) return `a line such as "doomloop": patch is required, got ${line.trim().slice(0, 80)}`;
    if (name !== "doomloop") return `the package doomloop is required, got ${name.slice(0, 80)}`;
    if (!BUMPS.has(bump)) return `major, minor or patch is required, got ${bump.slice(0, 80)}`;
  }
  return undefined;
}

/** Takes the latest version out of a changelog, so that it can be made once more with what has come since. */
export function reopenVersion(changelog: string): ReopenedVersion {
  const [title = "", section = "", ...older] = changelog.split(/^(?=## )/m);
  const texts: Partial<Record<Bump, string>> = {};
  for (const part of section.split(/^(?=### )/m).slice(1)) {
    const [heading = "", ...lines] = part.split("\n");
    const bump = (Object.keys(HEADINGS) as Bump[]).find((one) => heading === `### ${HEADINGS[one]}`);
    if (bump === undefined) throw new Error(`reopen-version: a kind of change is required, got "${heading}"`);
    texts[bump] = lines.join("\n").trim();
  }
  const version = /^## (\S+)/.exec(older[0] ?? "")?.[1] ?? "0.0.0";
  return { version, changelog: older.length === 0 ? "" : title + older.join(""), texts };
}

/** Gives the headings that Changesets writes the names of ours. */
export function renameHeadings(changelog: string): string {
  return changelog
    .replaceAll("\n### Major Changes\n", `\n### ${HEADINGS.major}\n`)
    .replaceAll("\n### Minor Changes\n", `\n### ${HEADINGS.minor}\n`)
    .replaceAll("\n### Patch Changes\n", `\n### ${HEADINGS.patch}\n`);
}

/** What the changelog says of a version, without its heading. */
export function releaseNotes(changelog: string, version: string): string {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version}\n`));
  if (section === undefined) throw new Error(`release-notes: a section for ${version} is required in the changelog`);
  return `${section.slice(section.indexOf("\n")).trim()}\n`;
}

/** Throws unless a tag names the version that package.json names, and the changelog has a section for it. Returns that section. */
export function requireTag(tag: string | undefined): string {
  const { version } = readManifest();
  if (tag !== `v${version}`) throw new Error(`release: the tag v${version} is required, got ${tag}`);
  return releaseNotes(readFileSync(join(packageHome, "CHANGELOG.md"), "utf8"), version);
}
