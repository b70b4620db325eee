import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Programs whose package has another name. */
const PACKAGES: Readonly<Record<string, string>> = {
  attw: "@arethetypeswrong/cli",
  biome: "@biomejs/biome",
  tsc: "typescript",
};
const installed = resolve(import.meta.dirname, "../node_modules");

/**
 * The file of an installed program, for `process.execPath` to run. What npm puts into `.bin` is a script for a shell on Windows, and a shell
 * would read the arguments anew. Throws if the package is not installed.
 */
export function programOf(name: string, packages: string = installed): string {
  const home = join(packages, PACKAGES[name] ?? name);
  const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const file = typeof bin === "string" ? bin : bin[name];
  if (file === undefined) throw new Error(`program-of: a program ${name} is required in ${home}`);
  return join(home, file);
}
