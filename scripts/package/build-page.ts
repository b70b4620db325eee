import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BundledFile } from "./bundled-packages.ts";
import { packageHome } from "./manifest.ts";

const viewer = resolve(packageHome, "../viewer");

interface Vite {
  build(options: { configFile: string; root: string }): Promise<{
    readonly output: readonly { readonly type: string; readonly moduleIds?: readonly string[] }[];
  }>;
}

/** Builds the report page into the package, with the viewer's own Vite, and returns what went into it. */
export async function buildPage(): Promise<BundledFile> {
  const entry = createRequire(resolve(viewer, "package.json")).resolve("vite");
  const { build } = (await import(pathToFileURL(entry).href)) as Vite;
  const { output } = await build({ configFile: resolve(viewer, "vite.config.ts"), root: viewer });
  return { file: "assets/report.html", modules: output.flatMap(({ moduleIds = [] }) => moduleIds) };
}
