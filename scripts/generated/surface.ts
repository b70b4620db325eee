import { keepFile, readText } from "../repository.ts";

/** What one import path offers. */
interface Entry {
  readonly path: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const PACKAGE = "packages/doomloop";
const LIST = `${PACKAGE}/surface.txt`;
const EXPORTS = /^export (type )?\{([^}]*)\} from "[^"]+";$/gms;
const OPTION = /^ {2}readonly (\w+)\?:/gm;

/**
 * Everything that users can import, in a list, so that a change of it shows in review. An index names what it exports, one by one, so its text is
 * enough.
 */
export function keepSurface(): readonly string[] {
  const { exports } = JSON.parse(readText(`${PACKAGE}/package.json`)) as { exports: Record<string, unknown> };
  const entries = Object.entries(exports).flatMap(([path, target]) => entryOf(path, target));
  const options = ["core/options.ts#CoreOptions", "create-guard.ts#GuardOptions"].flatMap(optionsIn);
  return keepFile(LIST, textOf(entries, [...new Set(options)]));
}

function entryOf(path: string, target: unknown): readonly Entry[] {
  const file = (target as { default?: string }).default;
  if (file === undefined) return [];
  const text = readText(`${PACKAGE}/${file.replace("./dist/", "src/").replace(/\.js$/, ".ts")}`);
  const names = [...text.matchAll(EXPORTS)].flatMap(([, isType, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => (isType === undefined ? name : `type ${name}`)),
  );
  const shown = (name: string): string => name.replace(/^type /, "").replace(/^\w+ as /, "");
  return [
    {
      path: path.replace(/^\./, "doomloop"),
      values: names.filter((name) => !name.startsWith("type ")).map(shown),
      types: names.filter((name) => name.startsWith("type ")).map(shown),
    },
  ];
}

function optionsIn(place: string): readonly string[] {
  const [file, name] = place.split("#") as [string, string];
  const text = readText(`${PACKAGE}/src/${file}`);
  const from = text.indexOf(`export interface ${name} `);
  return [...text.slice(from, text.indexOf("\n}", from)).matchAll(OPTION)].map(([, option]) => option!);
}

function textOf(all: readonly Entry[], names: readonly string[]): string {
  const count = (pick: (entry: Entry) => readonly string[]): number => new Set(all.flatMap(pick)).size;
  const head = [
    "# What users can import. Written by npm run fix.",
    `# ${all.length} import paths, ${count(({ values }) => values)} values, ${count(({ types }) => types)} types by name; ${names.length} options of a guard`,
    "",
    "options of a guard",
    ...[...names].sort().map((name) => `  ${name}`),
  ];
  const lists = all.flatMap(({ path, values, types }) => [
    "",
    path,
    ...[...values].sort().map((name) => `  ${name}`),
    ...[...types].sort().map((name) => `  type ${name}`),
  ]);
  return `${[...head, ...lists].join("\n")}\n`;
}
