import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BundledPackage } from "./bundled-packages.ts";
import { packageHome } from "./manifest.ts";

export interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
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

export function writeSbom(packages: readonly BundledPackage[]): void {
  const own = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as OwnPackage;
  const text = JSON.stringify(billOfMaterials(own, packages), undefined, 2);
  writeFileSync(join(packageHome, "sbom.cdx.json"), `${text}\n`);
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
