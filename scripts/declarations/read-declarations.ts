import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "oxc-parser";

/** One declaration file: what it declares, and what it takes from others. */
export interface DeclarationFile {
  readonly path: string;
  readonly statements: readonly DeclarationStatement[];
  /** Imports and re-exports, by the name that they have in this file. */
  readonly links: ReadonlyMap<string, DeclarationLink>;
  /** The names that it exports. */
  readonly exports: readonly string[];
}

interface DeclarationStatement {
  /** With the comment before it. */
  readonly text: string;
  readonly names: readonly string[];
}

interface DeclarationLink {
  /** The file that it comes from, or the name of a package. */
  readonly from: string;
  readonly isPackage: boolean;
  /** The name there. */
  readonly name: string;
  readonly isType: boolean;
}

interface Specifier {
  readonly local: { readonly name: string };
  readonly imported?: { readonly name: string };
  readonly exported?: { readonly name: string };
  readonly importKind?: string;
  readonly exportKind?: string;
}

interface Node {
  readonly type: string;
  readonly end: number;
  readonly importKind?: string;
  readonly exportKind?: string;
  readonly id?: { readonly name: string };
  readonly declaration?: Node | null;
  readonly declarations?: readonly { readonly id: { readonly name: string } }[];
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
}

/** Reads a declaration file as the compiler writes them. */
export function readDeclarations(path: string): DeclarationFile {
  const file = readFileSync(path, "utf8");
  const { program, errors } = parseSync(path, file);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const statements: DeclarationStatement[] = [];
  const links = new Map<string, DeclarationLink>();
  const exports: string[] = [];
  let end = 0;
  for (const node of program.body as unknown as Node[]) {
    const text = file.slice(end, node.end).trim();
    end = node.end;
    const names = node.source == null ? namesOf(node) : [];
    for (const [local, link] of linksOf(node, path)) {
      links.set(local, link);
      names.push(local);
    }
    if (node.type.startsWith("Export")) exports.push(...names);
    if (node.source == null && names.length > 0) statements.push({ text, names });
  }
  return { path, statements, links, exports };
}

function linksOf(node: Node, path: string): [string, DeclarationLink][] {
  const { source, specifiers = [], importKind, exportKind } = node;
  if (source == null) return [];
  if (specifiers.length === 0) throw new Error(`${path}: names are required from ${source.value}`);
  const isPackage = !source.value.startsWith(".");
  const from = isPackage ? source.value : linkedFile(path, source.value);
  return specifiers.map((specifier) => {
    const { local, imported, exported } = specifier;
    const isType = [importKind, exportKind, specifier.importKind, specifier.exportKind].includes("type");
    return [exported?.name ?? local.name, { from, isPackage, name: imported?.name ?? local.name, isType }];
  });
}

function namesOf(node: Node): string[] {
  if (node.declaration != null) return namesOf(node.declaration);
  if (node.declarations !== undefined) return node.declarations.map(({ id }) => id.name);
  return node.id === undefined ? [] : [node.id.name];
}

/** The declaration file that a relative import leads to. */
export function linkedFile(path: string, specifier: string): string {
  return resolve(dirname(path), specifier.replace(/\.[jt]s$/, ".d.ts"));
}
