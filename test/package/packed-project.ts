import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "../../scripts/package/manifest.ts";
import { pack } from "../../scripts/package/tarball.ts";
import { npm, programOf } from "../../scripts/run-program.ts";

/** A project as a user has one, with the packed package installed. */
export interface PackedProject {
  readonly tarball: string;
  readonly folder: string;
  /** An empty folder beside the project. */
  readonly home: string;
  write(file: string, text: string): void;
  /** Runs Node in the project, or in a folder of it, and returns what is printed. */
  node(words: readonly string[], folder?: string): string;
  /** Checks the types of files with the options of a strict project, and more. */
  checkTypes(files: readonly string[], more: object): string;
  remove(): void;
}

/** Packs the package, which must be built, and installs it into a new project. */
export function createPackedProject(): PackedProject {
  requireBuild();
  const root = mkdtempSync(join(tmpdir(), "doomloop-packed-"));
  const [folder, home] = [join(root, "project"), join(root, "home")];
  for (const each of [folder, home]) mkdirSync(each);
  const tarball = pack(root);
  const write: PackedProject["write"] = (file, text) => writeFileSync(join(folder, file), text);
  const node: PackedProject["node"] = (words, inside = ".") =>
    execFileSync(process.execPath, words, {
      cwd: join(folder, inside),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], folder);
  return {
    ...{ tarball, folder, home, write, node },
    checkTypes(files, more) {
      const compilerOptions = { strict: true, noEmit: true, module: "nodenext", ...more };
      write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
      return node([programOf("tsc"), "--project", "tsconfig.json"]);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
