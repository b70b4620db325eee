import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file of the package, and the modules that a bundler has put into it. */
export interface BundledFile {
  /** Below the package's folder, with slashes: `assets/report.html`. */
  readonly file: string;
  readonly modules: readonly string[];
}

/** A package of others, parts of which are in our files. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json names it, such as `MIT`. */
  readonly licence: string;
  readonly licenceText: string;
  /** The files of ours that hold parts of it. */
  readonly files: readonly string[];
}

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** The packages that modules come from, by name. Each must have a licence: without one it must not be bundled. */
export function bundledPackages(bundled: readonly BundledFile[]): readonly BundledPackage[] {
  const filesOf = new Map<string, Set<string>>();
  for (const { file, modules } of bundled) {
    for (const module of modules) {
      const folder = PACKAGE.exec(module)?.[1];
      if (folder !== undefined) filesOf.set(folder, (filesOf.get(folder) ?? new Set()).add(file));
    }
  }
  const packages = [...filesOf].map(([folder, files]) => readPackage(folder, [...files].sort()));
  return packages.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

function readPackage(folder: string, files: readonly string[]): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const { name = "", version = "", license: licence } = manifest;
  const textFile = readdirSync(folder).find((file) => /^licen[cs]e(?:\.|$)/i.test(file));
  if (textFile === undefined || licence === undefined)
    throw new Error(`bundled-packages: a licence is required to bundle ${name}, it has none`);
  const licenceText = readFileSync(join(folder, textFile), "utf8").replaceAll("\r\n", "\n").trim();
  return { name, version, licence, licenceText, files };
}
