import { readManifest } from "../package/manifest.ts";
import { keepFile, readText } from "../repository.ts";

/** The version of the package, in other files than its own. npm would write the lock file anew, without the tools' binaries for other systems. */
const PLACES: Readonly<Record<string, RegExp>> = {
  "package-lock.json": /(?<="packages\/doomloop": \{\s+"version": ")[^"]*/,
  "packages/doomloop/schema/openapi-1.json": /(?<="title": "doomloop",\s+"version": ")[^"]*/,
  "clients/python/doomloop.py": /(?<=^__version__ = ")[^"]*/m,
};

export function keepVersion(): readonly string[] {
  const { version } = readManifest();
  return Object.entries(PLACES).flatMap(([file, place]) => keepFile(file, readText(file).replace(place, version)));
}
