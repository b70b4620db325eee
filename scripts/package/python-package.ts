import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const clients = resolve(import.meta.dirname, "../../clients");
/** What is no part of the client, but may lie in its folder. */
const LEFT_OUT = /(?:__pycache__|\.mypy_cache|dist|\.egg-info)$/;

/** A Python that can build the package and make virtual environments. Debian's comes first: its tools belong to no other. */
export function pythonThatBuilds(): string | undefined {
  return ["/usr/bin/python3", "python3", "python"].find((program) => {
    try {
      execFileSync(program, ["-c", "import build, ensurepip, hatchling, venv"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** Builds the sdist from a copy of the source, and the wheel from the sdist. Returns their paths. */
export function buildPythonPackage(python: string, folder: string): { readonly wheel: string; readonly sdist: string } {
  const [source, built] = [join(folder, "source"), join(folder, "built")];
  cpSync(join(clients, "python"), source, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  // Debian's hatchling does not need all that its own package asks for.
  const words = ["-m", "build", "--no-isolation", "--skip-dependency-check", "--outdir", built, source];
  execFileSync(python, words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const files = readdirSync(built);
  const find = (end: string): string => {
    const found = files.filter((file) => file.endsWith(end));
    if (found.length !== 1) throw new Error(`one file that ends with ${end} is required, got ${files.join(", ")}`);
    return join(built, found[0]!);
  };
  return { wheel: find(".whl"), sdist: find(".tar.gz") };
}

/** Puts tests and examples into a folder, without the client, so that they use the one that is installed. Returns where they are. */
export function copyPythonTests(folder: string): string {
  const home = join(folder, "clients/python");
  mkdirSync(home, { recursive: true });
  const filter = (path: string): boolean => !LEFT_OUT.test(path);
  for (const name of ["tests", "examples"])
    cpSync(join(clients, "python", name), join(home, name), { recursive: true, filter });
  cpSync(join(clients, "conformance.jsonl"), join(folder, "clients/conformance.jsonl"));
  return home;
}
