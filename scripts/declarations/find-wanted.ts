import { type DeclarationFile, linkedFile } from "./read-declarations.ts";

export type DeclarationFiles = ReadonlyMap<string, DeclarationFile>;

/** A declaration, wherever it was imported from. */
export interface Origin {
  /** The file, or the name of a package. */
  readonly from: string;
  readonly name: string;
  readonly isPackage: boolean;
}

/** A type that the compiler names where it is used, because the source did not import it: `import("./event.ts").CallEvent`. */
export const INLINE_IMPORT = /import\("(\.[^"]+)"\)\.(\w+)/g;

/** Where a name of a file was declared. */
export function originOf(files: DeclarationFiles, path: string, name: string): Origin {
  const link = files.get(path)?.links.get(name);
  if (link === undefined) return { from: path, name, isPackage: false };
  return link.isPackage ? link : originOf(files, link.from, link.name);
}

/** The names of each file that its callers can come across: those that entries export, and what these mention. */
export function findWanted(files: DeclarationFiles, entries: readonly string[]): ReadonlyMap<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();

  const want = (path: string, name: string): void => {
    const names = wanted.get(path) ?? new Set();
    if (names.has(name)) return;
    wanted.set(path, names.add(name));
    const { from, name: declared, isPackage } = originOf(files, path, name);
    if (isPackage) return;
    if (from !== path) want(from, declared);
    else {
      const code = codeOf(files.get(path)!, name);
      for (const mentioned of mentionedIn(code, files.get(path)!)) want(path, mentioned);
      for (const [, specifier = "", inline = ""] of code.matchAll(INLINE_IMPORT))
        want(linkedFile(path, specifier), inline);
    }
  };

  for (const entry of entries) for (const name of files.get(entry)!.exports) want(entry, name);
  return wanted;
}

function codeOf({ statements }: DeclarationFile, name: string): string {
  const texts = statements.filter(({ names }) => names.includes(name)).map(({ text }) => text);
  return texts.join("\n").replaceAll(/\/\*.*?\*\//gs, "");
}

/** A word that only looks like a name keeps too much, never too little. */
function mentionedIn(code: string, { statements, links }: DeclarationFile): string[] {
  const known = new Set([...links.keys(), ...statements.flatMap(({ names }) => names)]);
  return (code.match(/[\w$]+/g) ?? []).filter((word) => known.has(word));
}
