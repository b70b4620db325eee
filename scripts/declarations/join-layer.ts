import { dirname, relative, sep } from "node:path";
import { type DeclarationFiles, INLINE_IMPORT, type Origin, originOf } from "./find-wanted.ts";
import { linkedFile } from "./read-declarations.ts";

export interface JoinOptions {
  readonly files: DeclarationFiles;
  /** The names of each file that are kept. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string>>;
  /** The file that each file is joined into. */
  readonly targets: ReadonlyMap<string, string>;
  /** Packages whose types callers have. */
  readonly packages: readonly string[];
}

/** The text of one file that holds the declarations of many. Where an import path leads to it, it exports what that did. */
export function joinLayer(target: string, isEntry: boolean, options: JoinOptions): string {
  const { files, wanted, targets } = options;
  const members = [...targets].filter(([, own]) => own === target).map(([path]) => files.get(path)!);
  const links = new Map<string, Set<string>>();
  const declarations: string[] = [];

  for (const file of members) {
    const kept = wanted.get(file.path)!;
    for (const name of kept) {
      const origin = originOf(files, file.path, name);
      if (targets.get(origin.from) === target && origin.name === name) continue;
      const isType = file.links.get(name)!.isType;
      const words = `${isType ? "type " : ""}${origin.name === name ? name : `${origin.name} as ${name}`}`;
      const specifier = specifierOf(target, origin, options);
      add(links, `import ${specifier}`, words);
      if (file.path === target && file.exports.includes(name)) add(links, `export ${specifier}`, words);
    }
    const inline = (_: string, specifier: string, name: string): string => {
      const origin = originOf(files, linkedFile(file.path, specifier), name);
      if (targets.get(origin.from) === target) return origin.name;
      return `import("${specifierOf(target, origin, options)}").${origin.name}`;
    };
    const isPublic = (name: string): boolean => (isEntry ? files.get(target)! : file).exports.includes(name);
    for (const { text, names } of file.statements) {
      if (!names.some((name) => kept.has(name))) continue;
      const own = names.some(isPublic) ? text : text.replace(/^((?:\/\*.*?\*\/\s*)?)export /s, "$1");
      declarations.push(own.replaceAll(INLINE_IMPORT, inline));
    }
  }
  const lines = [...links].map(([link, words]) => {
    const [keyword, specifier] = link.split(" ");
    return `${keyword} { ${[...words].join(", ")} } from "${specifier}";`;
  });
  // Without an export of this kind, everything in a declaration file counts as exported.
  return `${[...lines, ...declarations, "export {};"].join("\n")}\n`;
}

function specifierOf(target: string, { from, isPackage }: Origin, { targets, packages }: JoinOptions): string {
  if (!isPackage) {
    const path = relative(dirname(target), targets.get(from)!)
      .replaceAll(sep, "/")
      .replace(/\.d\.ts$/, ".js");
    return path.startsWith(".") ? path : `./${path}`;
  }
  if (!packages.includes(from))
    throw new Error(`the types of ${from} are required, and not installed with the package`);
  return from;
}

function add(links: Map<string, Set<string>>, link: string, words: string): void {
  links.set(link, (links.get(link) ?? new Set()).add(words));
}
