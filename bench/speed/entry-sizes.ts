import { statSync } from "node:fs";
import { resolve } from "node:path";
import { importPaths, loadedFiles, packageHome } from "../../scripts/package/manifest.ts";

/** How much code an import path brings into a process. */
export interface EntrySize {
  readonly path: string;
  readonly ownBytes: number;
  /** With the files that it loads at once; what is loaded when it is asked for does not count. */
  readonly bytes: number;
  readonly files: number;
}

/** Measures the built package. Throws if it is not built. */
export function entrySizes(): EntrySize[] {
  return [...importPaths(), ["the command line", "./dist/cli/main.js"] as const].map(([path, file]) => {
    const sizes = [...loadedFiles(resolve(packageHome, file))].map((name) => statSync(name).size);
    return { path, ownBytes: sizes[0]!, bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  });
}
