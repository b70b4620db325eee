import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");
/** With `--check`, a script writes nothing, and fails if something is not as it would write it. */
const isCheck = process.argv.includes("--check");

/** The files that git knows, and those that it would add. Patterns choose among them. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...patterns];
  const names = execFileSync("git", words, { cwd: root, encoding: "utf8" }).split("\0");
  return names.filter((file) => file !== "" && existsSync(resolve(root, file)));
}

export function readText(path: string): string {
  return readFileSync(resolve(root, path), "utf8");
}

/** Writes a file that a script keeps up to date. With `--check`, returns a fault instead if it is not. */
export function keepFile(path: string, text: string): readonly string[] {
  if (existsSync(resolve(root, path)) && readText(path) === text) return [];
  if (isCheck) return [`${path}: is not up to date: \`npm run fix\` writes it`];
  writeFileSync(resolve(root, path), text);
  return [];
}

/** Prints what is at fault, and a line about all, and lets the process fail if something is. */
export function report(faults: readonly string[], summary: string): void {
  for (const fault of faults) console.log(fault);
  console.log(`${summary}, ${faults.length} at fault`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
