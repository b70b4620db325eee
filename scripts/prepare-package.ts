import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { packageHome } from "./package/manifest.ts";
import { registryReadme } from "./package/registry-readme.ts";
import { writeClaudePlugin } from "./package/write-claude-plugin.ts";

/** Empties `dist`, puts the root's LICENSE and README into the package, so that the tarball holds them, and makes it a plugin for Claude Code. */
const root = resolve(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(resolve(packageHome, "package.json"), "utf8")) as { version: string };

rmSync(resolve(packageHome, "dist"), { recursive: true, force: true });
copyFileSync(resolve(root, "LICENSE"), resolve(packageHome, "LICENSE"));
const readme = readFileSync(resolve(root, "README.md"), "utf8");
writeFileSync(resolve(packageHome, "README.md"), registryReadme(readme, version));
writeClaudePlugin();
