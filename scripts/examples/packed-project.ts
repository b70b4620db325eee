import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { hostNames, installHost } from "../install-host.ts";
import { pack } from "../package/pack.ts";
import { programOf } from "../program-of.ts";

/** A project as a user has one, with the packed package installed. */
export interface PackedProject {
  /** Copies a folder of the repository, with the packages of the host that has its name beside it. */
  bring(folder: string): void;
  /** Checks the types of files as a strict project does. */
  checkTypes(files: readonly string[]): string;
  run(program: string, words: readonly string[], folder?: string): string;
  remove(): void;
}

/** Folders that use packages of something else than a host of their name. */
const packages: Readonly<Record<string, string>> = {
  fleet: "../stores",
  "fleet-redis": "../stores",
  "serverless-redis": "../stores",
};
/** Files with something of a framework that its own types refuse under `exactOptionalPropertyTypes`. */
const lenient = ["docs/snippets/langchain/migration.ts"];
const root = resolve(import.meta.dirname, "../..");

/** Packs the package, which must be built, and installs it into a new project. */
export function createPackedProject(): PackedProject {
  const home = mkdtempSync(join(tmpdir(), "doomloop-examples-"));
  const project = join(home, "project");
  const run: PackedProject["run"] = (program, words, folder = ".") =>
    execFileSync(program, words, { cwd: join(project, folder), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  install(home, project);

  return {
    bring(folder) {
      const host = packages[basename(folder)] ?? basename(folder);
      cpSync(join(root, folder), join(project, folder), {
        recursive: true,
        filter: (path) => basename(path) !== "node_modules",
      });
      if (hostNames().includes(host) || Object.values(packages).includes(host))
        symlinkSync(installHost(host), join(project, folder, "node_modules"), "junction");
    },
    checkTypes(files) {
      const strict = { strict: true, noEmit: true, target: "es2023", module: "nodenext" };
      const modern = { allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true };
      const node = { types: ["node"], typeRoots: [join(root, "node_modules/@types")], skipLibCheck: true };
      const outputs = [true, false].map((exactOptionalPropertyTypes) => {
        const group = files.filter((file) => lenient.includes(file) !== exactOptionalPropertyTypes);
        if (group.length === 0) return "";
        const compilerOptions = { ...strict, ...modern, ...node, exactOptionalPropertyTypes };
        writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: group }));
        return run(process.execPath, [programOf("tsc"), "--project", "tsconfig.json"]);
      });
      return outputs.join("");
    },
    run,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

function install(home: string, project: string): void {
  const tarball = pack(home);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "examples", private: true, type: "module" }));
  const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball];
  const shell = process.platform === "win32";
  execFileSync("npm", words, { cwd: project, stdio: ["ignore", "ignore", "inherit"], shell });
}
