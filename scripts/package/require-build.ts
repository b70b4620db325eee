import { existsSync } from "node:fs";
import { join } from "node:path";
import { codeEntries, declarationEntries, packageHome } from "./manifest.ts";

/** Ends the process with one line if a file that package.json leads to is not built. */
export function requireBuild(): void {
  if ([...codeEntries(), ...declarationEntries()].every((file) => existsSync(join(packageHome, file)))) return;
  console.error("run npm run build first");
  process.exit(1);
}
