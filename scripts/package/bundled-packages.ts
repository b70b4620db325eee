import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";

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

export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
}

const INTRODUCTION = "Parts of these packages are in doomloop's files. Their licences follow.";
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

/**
 * A bill of materials in CycloneDX 1.6: what the package holds of others, and in which files.
 *
 * It has neither a time nor a serial number, which CycloneDX leaves open: it lies in the tarball, and the same source makes the same tarball.
 */
export function billOfMaterials(own: OwnPackage, packages: readonly BundledPackage[]): object {
  const reference = packageUrl(own);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "library",
        "bom-ref": reference,
        name: own.name,
        version: own.version,
        description: own.description,
        licenses: [{ license: { id: own.license } }],
        purl: reference,
        externalReferences: [
          { type: "vcs", url: own.repository.url },
          { type: "website", url: own.homepage },
        ],
      },
    },
    components: packages.map(componentOf),
    dependencies: [
      { ref: reference, dependsOn: packages.map(packageUrl) },
      ...packages.map((one) => ({ ref: packageUrl(one) })),
    ],
    compositions: [{ aggregate: "complete", assemblies: [reference] }],
  };
}

/** Writes the licences of the packages that are in our files beside them, as each of them asks for, and the bill of materials. */
export function writeNotices(packages: readonly BundledPackage[]): void {
  const notices = packages.map(({ name, version, licenceText }) => `${name} ${version}\n\n${licenceText}`);
  writeFileSync(join(packageHome, "THIRD-PARTY-NOTICES.txt"), `${[INTRODUCTION, ...notices].join("\n\n")}\n`);
  const own = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as OwnPackage;
  const bill = JSON.stringify(billOfMaterials(own, packages), undefined, 2);
  writeFileSync(join(packageHome, "sbom.cdx.json"), `${bill}\n`);
}

function componentOf(one: BundledPackage): object {
  const [group, name] = one.name.startsWith("@") ? one.name.split("/") : [undefined, one.name];
  return {
    type: "library",
    "bom-ref": packageUrl(one),
    ...(group !== undefined && { group }),
    name,
    version: one.version,
    scope: "required",
    licenses: [{ license: { id: one.licence } }],
    purl: packageUrl(one),
    evidence: { occurrences: one.files.map((location) => ({ location })) },
  };
}

/** The name of a package of npm as others write it: `pkg:npm/%40scope/name@1.0.0`. */
function packageUrl({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
