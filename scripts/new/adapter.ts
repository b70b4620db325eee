import { fillTemplate, type Names, type Plan } from "./plan.ts";

const manifest = "packages/doomloop/package.json";

/** An adapter in its folder, its import path, a host to hold it to the contract with, and a page. */
export function planAdapter(names: Names): Plan {
  const { kebab } = names;
  const folder = `packages/doomloop/src/adapters/${kebab}`;
  const host = `test/hosts/${kebab}`;
  const inFolder = ["index.ts", "guard.ts", "agent.ts"];
  const inHost = [
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "made-up-host.ts",
    "driver.ts",
    "contract.test.ts",
    "guard.test-d.ts",
  ];
  return {
    files: {
      ...Object.fromEntries(inFolder.map((file) => [`${folder}/${file}`, fillTemplate(`adapter/${file}`, names)])),
      ...Object.fromEntries(inHost.map((file) => [`${host}/${file}`, fillTemplate(`adapter/host/${file}`, names)])),
      [`${host}/.npmrc`]: fillTemplate("adapter/host/npmrc", names),
      [`docs/adapters/${kebab}.md`]: fillTemplate("adapter/page.md", names),
    },
    edits: [{ path: manifest, apply: (text) => withExport(text, kebab) }],
    next: [
      `npm run test:hosts ${kebab}`,
      `Put the real package into ${host}/package.json with its exact version, and into driver.ts instead of made-up-host.ts; packages/doomloop/src/adapters/README.md says how.`,
      `Edit ${folder}: the hooks become those of the real host, written as interfaces. No package is imported.`,
      `What the host lacks goes into lacks of ${host}/driver.ts, with the reason.`,
      `Finish docs/adapters/${kebab}.md, add its lines to docs/adapters/README.md and README.md, and write examples/${kebab}/main.ts. Code for the page goes into docs/snippets/${kebab}/, which sees the packages of ${host}; ${host}/first-program.test.ts runs the first program of the page, as those of other hosts do.`,
      "node scripts/write-surface.ts, since there is a new import path, and npm run build && node scripts/package-contents.ts, since the package has new files: commit the lists that they write.",
    ],
  };
}

interface Manifest {
  exports: Record<string, unknown>;
}

/** The manifest with an import path, written out, among those of its kind in their order. */
function withExport(text: string, kebab: string): string {
  const read = JSON.parse(text) as Manifest;
  const path = `./${kebab}`;
  if (path in read.exports) throw new Error(`new: doomloop/${kebab} already exists, and nothing is overwritten`);
  const folder = `./dist/adapters/${kebab}`;
  const added = { types: `${folder}/index.d.ts`, default: `${folder}/index.js` };
  const entries = Object.entries(read.exports);
  const isLater = ([other]: [string, unknown]) => other > path || other.endsWith(".json");
  const at = entries.findIndex((entry) => entry[0] !== "." && isLater(entry));
  read.exports = Object.fromEntries(entries.toSpliced(at < 0 ? entries.length : at, 0, [path, added]));
  return `${JSON.stringify(read, undefined, 2)}\n`;
}
