/** What the changelog says of a version, without its heading. */
export function releaseNotes(changelog: string, version: string): string {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## ${version}\n`));
  if (section === undefined) throw new Error(`release-notes: a section for ${version} is required in the changelog`);
  return `${section.slice(section.indexOf("\n")).trim()}\n`;
}
