const FRONT_MATTER = /^---\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
const LINE = /^(["']?)([^"':\s]+)\1:[ \t]*(["']?)([a-z]+)\3[ \t]*$/;
const BUMPS = new Set(["major", "minor", "patch"]);

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
