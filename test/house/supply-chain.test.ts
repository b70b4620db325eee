import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { billOfMaterials, bundledPackages, type OwnPackage } from "../../scripts/package/bundled-packages.ts";

const root = resolve(import.meta.dirname, "../..");
const own = JSON.parse(readFileSync(join(root, "packages/doomloop/package.json"), "utf8")) as OwnPackage;

const STATEMENT = /^(?:(?:import|export|\}) (?!type )[^"\n]*?from |import )"([^."\n][^"\n]*)";$/gm;
const EXPRESSION = /\bimport\("([^."\n][^"\n]*)"\)/g;

/** What the source imports from other packages, and what it takes data from. */
const imported = new Set([
  "@pydantic/genai-prices",
  ...importsOf("packages/doomloop"),
  ...importsOf("packages/viewer"),
]);

describe("the packages that are bundled", () => {
  it("are those of the modules, each with its licence and the files of ours that it is in", () => {
    const packages = bundledPackages([
      { file: "dist/b.js", modules: ["/elsewhere/src/main.ts", moduleOf("commander")] },
      { file: "dist/a.js", modules: [moduleOf("commander"), moduleOf("preact"), "\0runtime.js"] },
    ]);

    expect(packages.map(({ name, files }) => [name, files])).toEqual([
      ["commander", ["dist/a.js", "dist/b.js"]],
      ["preact", ["dist/a.js"]],
    ]);
    for (const { licenceText } of packages) expect(licenceText).toContain("Permission is hereby granted");
  });

  it("are each a line of docs/dependencies.md, with the version that is installed", () => {
    const page = readFileSync(join(root, "docs/dependencies.md"), "utf8");
    const lines = [...page.matchAll(/^\| `([^`]+)` (\d+\.\d+\.\d+)/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    );

    expect(lines.sort()).toEqual([...imported].map((name) => `${name} ${versionOf(name)}`).sort());
  });
});

describe("the bill of materials", () => {
  const packages = bundledPackages([{ file: "assets/prices.json", modules: [moduleOf("@pydantic/genai-prices")] }]);
  const bill = billOfMaterials(own, packages) as Bill;
  const price = `pkg:npm/%40pydantic/genai-prices@${versionOf("@pydantic/genai-prices")}`;

  it("is CycloneDX 1.6 about this version of the package", () => {
    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(bill.metadata.component).toMatchObject({
      type: "library",
      name: "doomloop",
      version: own.version,
      purl: `pkg:npm/doomloop@${own.version}`,
    });
  });

  it("names a bundled part with its group, licence and place", () => {
    expect(bill.components).toMatchObject([
      {
        type: "library",
        group: "@pydantic",
        name: "genai-prices",
        purl: price,
        licenses: [{ license: { id: "MIT" } }],
        evidence: { occurrences: [{ location: "assets/prices.json" }] },
      },
    ]);
    expect(bill.dependencies).toEqual([{ ref: `pkg:npm/doomloop@${own.version}`, dependsOn: [price] }, { ref: price }]);
  });

  it("tells neither a time nor a number of its own, so that it is the same each time", () => {
    expect(JSON.stringify(bill)).not.toMatch(/timestamp|serialNumber/);
    expect(JSON.stringify(billOfMaterials(own, packages))).toBe(JSON.stringify(bill));
  });
});

interface Bill {
  metadata: { component: object };
  components: object[];
  dependencies: object[];
}

function moduleOf(name: string): string {
  return join(folderOf(name), "index.js");
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8")) as { version: string }).version;
}

/** Where a package is installed: that of our packages goes before that of their tools. */
function folderOf(name: string): string {
  const homes = ["packages/doomloop", "packages/viewer", "."].map((home) => join(root, home, "node_modules", name));
  const folder = homes.find((home) => existsSync(home));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return folder;
}

/** The packages that a folder's shipped source imports. */
function importsOf(home: string): string[] {
  const files = globSync(`${home}/src/**/*.{ts,tsx}`, { cwd: root }).filter(
    (file) => !/\.test(?:-d)?\.ts$|[\\/]src[\\/]build[\\/]/.test(file),
  );
  const text = files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const specifiers = [...text.matchAll(STATEMENT), ...text.matchAll(EXPRESSION)].map(([, specifier = ""]) => specifier);
  const names = specifiers.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]);
  return [...new Set(names)].filter((name) => !name.startsWith("node:"));
}
