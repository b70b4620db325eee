/**
 * Writes a changeset into the changelog as its author wrote it, without the hash of a commit. Changesets asks for a module with these
 * two functions. What `npm run release:version` has taken back from the changelog is text that needs no mark in front.
 */
export async function getReleaseLine({ id, summary }) {
  const text = summary.trim();
  if (id.startsWith("0-unreleased-")) return `${text}\n\n`;
  const [first, ...others] = text.split("\n");
  return [`- ${first}`, ...others.map((line) => (line === "" ? "" : `  ${line}`))].join("\n").concat("\n");
}

/** Packages of ours that depend on each other do not exist. */
export async function getDependencyReleaseLine() {
  return "";
}
