import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const CORE = resolve(import.meta.dirname, "../../../packages/doomloop/src/core");

/** A function of core, and what stands in its place. */
export interface Replacement {
  /** Its file within core. */
  readonly file: string;
  /** Its name, exported or not. */
  readonly name: string;
  /** A function, as JavaScript. It sees all that the file sees, and the function itself as `original`. */
  readonly by: string;
}

/** Where a file of core is. */
export function corePath(file: string): string {
  return join(CORE, file);
}

/**
 * Replaces functions of core for whoever imports it from now on in this thread, inside their own files, too. Nothing is written.
 *
 * The function that is returned throws if a file was not loaded since. A name that is no function of its file fails as the file is loaded.
 */
export function replaceFunctions(replacements: readonly Replacement[]): () => void {
  const waiting = new Map<string, Replacement[]>();
  for (const replacement of replacements) {
    const url = pathToFileURL(corePath(replacement.file)).href;
    waiting.set(url, [...(waiting.get(url) ?? []), replacement]);
  }
  if (waiting.size > 0)
    registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context);
        const own = waiting.get(url);
        if (own === undefined) return loaded;
        waiting.delete(url);
        const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
        return { ...loaded, source: [source, ...own.map((each) => replacing(source, each))].join("\n") };
      },
    });
  return () => {
    if (waiting.size > 0) throw new Error(`replaced, but never loaded: ${[...waiting.keys()].join(", ")}`);
  };
}

/** A declared function is a variable: what is assigned to it is what everybody calls. */
function replacing(source: string, { file, name, by }: Replacement): string {
  if (!new RegExp(`^(?:export )?function\\*? ${name}\\b`, "m").test(source))
    throw new Error(`${file} has no function ${name}`);
  return `{ const original = ${name}; ${name} = ${by}; }`;
}
