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
