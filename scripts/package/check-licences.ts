import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly evidence: { readonly occurrences: readonly { readonly location: string }[] };
}

/**
 * Throws if the bill of materials of the installed package, which is written from the bundler's own lists of modules, and the licences beside
 * it do not name the same packages, or if it leads to files that are not there. Returns what is bundled.
 */
export function checkLicences(project: string): string {
  const home = join(project, "node_modules/doomloop");
  const { components } = JSON.parse(readFileSync(join(home, "sbom.cdx.json"), "utf8")) as { components: Component[] };
  const bundled = components.map(
    ({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name} ${version}`,
  );
  const notices = readFileSync(join(home, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const named = [...notices.matchAll(/^(\S+ \d+\.\d+\.\d+\S*)\n\n/gm)].map(([, name = ""]) => name);
  if (named.join() !== bundled.join()) throw new Error(`licences of ${bundled} are required, got those of ${named}`);
  const grants = notices.split("Permission is hereby granted").length - 1;
  if (grants !== bundled.length) throw new Error(`${bundled.length} licences are required, got the text of ${grants}`);
  for (const { evidence } of components)
    for (const { location } of evidence.occurrences) readFileSync(join(home, location));
  return bundled.join(", ");
}
