import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { UserConfig } from "vite";
import { type OnePageOptions, onePage } from "./src/build/one-page.ts";

const require = createRequire(import.meta.url);

export interface PageOptions extends Pick<OnePageOptions, "hasIsland"> {
  /** The HTML file that the page begins with, from this folder. */
  readonly entry: string;
  /** Where the page is written, from this folder. */
  readonly file: string;
  /** What is built in besides Preact: the names of packages. */
  readonly packages: readonly string[];
}

/** How one page is built into one file. */
export function pageConfig({ entry, file, packages, hasIsland }: PageOptions): UserConfig {
  return {
    root: import.meta.dirname,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [
      onePage({
        file: resolve(import.meta.dirname, file),
        licenceFiles: {
          Preact: licenceFileOf("preact"),
          ...Object.fromEntries(packages.map((name) => [name, licenceFileOf(name)])),
        },
        hasIsland,
      }),
    ],
    build: {
      // `light-dark()` and nesting stay as they are written: browsers have both since 2024.
      target: ["chrome123", "firefox120", "safari17.5"],
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      outDir: "dist",
      modulePreload: false,
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      write: false,
      rolldownOptions: { input: resolve(import.meta.dirname, entry) },
    },
    logLevel: "warn",
  };
}

/** Some packages do not let their files be resolved, so the folders are looked through. */
function licenceFileOf(name: string): string {
  const places = require.resolve.paths(name) ?? [];
  const found = places.map((folder) => join(folder, name, "LICENSE")).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`page-config: a licence of ${name} is required`);
  return found;
}
