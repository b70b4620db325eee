import { copyFileSync, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { writeClaudePlugin } from "./package/write-claude-plugin.ts";

/** Empties `dist`, puts the root's README and LICENSE into the package, so that the tarball holds them, and makes it a plugin for Claude Code. */
const root = resolve(import.meta.dirname, "..");
const home = resolve(root, "packages/doomloop");

rmSync(resolve(home, "dist"), { recursive: true, force: true });

for (const name of ["README.md", "LICENSE"]) {
  if (existsSync(resolve(root, name))) copyFileSync(resolve(root, name), resolve(home, name));
  else console.error(`prepare-package: ${name} is missing, the package goes without it`);
}

writeClaudePlugin();
